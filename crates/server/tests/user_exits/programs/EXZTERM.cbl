       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXZTERM.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       01  I                   PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XZCATT.
       COPY EXITGWA.
       01  EXN                 PIC X.
       01  TERMINAL-ENTRY.
           COPY DFHTCTTE.
       01  TIOA.
           COPY DFHTIOA.
           02  D               PIC X OCCURS 2000.
       01  TRAN                PIC X(4).
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF EXN TO UEPEXN.
           SET ADDRESS OF TERMINAL-ENTRY TO UEPTCTTE.
           IF UEPTIOA = NULL GOBACK.
           SET ADDRESS OF TIOA TO UEPTIOA.
           EVALUATE EXN
              WHEN XZCATT OF DFHUEXIT
                 SET ADDRESS OF TRAN TO UEPTRAN
                 IF TRAN = 'EXZ1'
                    MOVE TRAN TO G-TEXT(1:4)
                    MOVE TCTTETI TO G-TEXT(6:4)
                    IF TCTTEAID = X'7D' AND TIOAWCI = X'00'
                       MOVE 'ENTER' TO G-TEXT(11:5)
                    END-IF
                 END-IF
              WHEN XZCIN OF DFHUEXIT
                 ADD 1 TO G-COUNT
      *          HELLO is JELLO for the program.
                 PERFORM VARYING I FROM 1 BY 1 UNTIL I > TIOATDL
                    IF D(I) = 'H' MOVE 'J' TO D(I) END-IF
                 END-PERFORM
              WHEN XZCOUT OF DFHUEXIT
                 IF TIOAWCI = X'01' MOVE 'OUT' TO G-TEXT(17:3) END-IF
      *          And CELLO for the terminal.
                 PERFORM VARYING I FROM 1 BY 1 UNTIL I > TIOATDL
                    IF D(I) = 'J' MOVE 'C' TO D(I) END-IF
                 END-PERFORM
           END-EVALUATE.
           GOBACK.
