       IDENTIFICATION DIVISION.
       PROGRAM-ID. SCRSIZE.
      * Screen sizes: by the profile, by DEFAULT, by ALTERNATE; what
      * ASSIGN and INQUIRE TERMINAL say of the terminal.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SCREEN-SIZES.
           05  SH PIC S9(4) COMP.
           05  SW PIC S9(4) COMP.
           05  DH PIC S9(4) COMP.
           05  DW PIC S9(4) COMP.
           05  AH PIC S9(4) COMP.
           05  AW PIC S9(4) COMP.
       01  EDITED.
           05  E-SH PIC 999.
           05  E-SW PIC 999.
           05  E-DH PIC 999.
           05  E-DW PIC 999.
           05  E-AH PIC 999.
           05  E-AW PIC 999.
       01  OUT-LINE PIC X(78).
       01  HEAD-LINE PIC X(10).
       01  CL PIC X.
       01  HL PIC X.
       01  CQ PIC S9(8) COMP.
       01  HQ PIC S9(8) COMP.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'PROFILE' TO HEAD-LINE
           PERFORM DESCRIBE
           EXEC CICS SEND TEXT FROM(OUT-LINE) LENGTH(78) ERASE FREEKB
                WAIT END-EXEC
           EXEC CICS RECEIVE NOHANDLE END-EXEC
           MOVE 'AFTER' TO HEAD-LINE
           PERFORM DESCRIBE
           EXEC CICS SEND TEXT FROM(OUT-LINE) LENGTH(78) ERASE
                ALTERNATE FREEKB WAIT END-EXEC
           EXEC CICS RECEIVE NOHANDLE END-EXEC
           MOVE 'ALTERNATE' TO HEAD-LINE
           PERFORM DESCRIBE
           EXEC CICS SEND TEXT FROM(OUT-LINE) LENGTH(78) ERASE
                DEFAULT FREEKB WAIT END-EXEC
           EXEC CICS RECEIVE NOHANDLE END-EXEC
           MOVE 'DEFAULT' TO HEAD-LINE
           PERFORM DESCRIBE
           EXEC CICS SEND TEXT FROM(OUT-LINE) LENGTH(78) ERASE
                FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
       DESCRIBE.
           EXEC CICS ASSIGN SCRNHT(SH) SCRNWD(SW) DEFSCRNHT(DH)
                DEFSCRNWD(DW) ALTSCRNHT(AH) ALTSCRNWD(AW)
                COLOR(CL) HILIGHT(HL) END-EXEC
           EXEC CICS INQUIRE TERMINAL(EIBTRMID) COLORST(CQ)
                HILIGHTST(HQ) END-EXEC
           MOVE SH TO E-SH
           MOVE SW TO E-SW
           MOVE DH TO E-DH
           MOVE DW TO E-DW
           MOVE AH TO E-AH
           MOVE AW TO E-AW
           MOVE SPACES TO OUT-LINE
           STRING HEAD-LINE ' NOW ' E-SH 'X' E-SW ' DEF ' E-DH 'X' E-DW
               ' ALT ' E-AH 'X' E-AW DELIMITED BY SIZE INTO OUT-LINE
           IF CL = HIGH-VALUE
               MOVE 'COLOR' TO OUT-LINE (50:5)
           END-IF
           IF HL = HIGH-VALUE
               MOVE 'HILIGHT' TO OUT-LINE (56:7)
           END-IF
           IF CQ = DFHVALUE(COLOR) AND HQ = DFHVALUE(HILIGHT)
               MOVE 'INQUIRED' TO OUT-LINE (64:8)
           END-IF.
