      *Handlers of run-time option USRHDLR beside one of CEEHDLR.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. USERHDLR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER             PROCEDURE-POINTER.
       01  USER-TOKEN          PIC S9(9) COMP VALUE 77.
       01  FC                  PIC X(12).
       01  HOW EXTERNAL        PIC X(8).
       LINKAGE SECTION.
       01  PARM.
           05  PARM-LENGTH     PIC S9(4) COMP.
           05  PARM-TEXT       PIC X(8).
       PROCEDURE DIVISION USING PARM.
           MOVE PARM-TEXT(1:PARM-LENGTH) TO HOW
           IF HOW NOT = 'ALONE'
               SET HANDLER TO ENTRY 'OWN'
               CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           END-IF
           CALL 'FAILS'
           DISPLAY 'BEHIND FAILS'
           GOBACK.
       END PROGRAM USERHDLR.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FAILS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SPACES-ITEM         PIC X(5) VALUE SPACES.
       01  PACKED REDEFINES SPACES-ITEM PIC S9(9) COMP-3.
       PROCEDURE DIVISION.
           ADD 1 TO PACKED
           DISPLAY 'NOT REACHED'
           GOBACK.
       END PROGRAM FAILS.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWN.
       DATA DIVISION.
       COPY ONCOND.
           DISPLAY 'OWN ' T-MESSAGE ' ' USER-TOKEN
           GOBACK.
       END PROGRAM OWN.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FIRSTH.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HOW EXTERNAL        PIC X(8).
       01  ONE-MOVE            PIC S9(9) COMP VALUE 1.
       01  FC                  PIC X(12).
       COPY ONCOND.
           DISPLAY 'FIRST ' T-MESSAGE
           IF HOW = 'FIRST'
               CALL 'CEEMRCR' USING ONE-MOVE FC
               MOVE 10 TO RESULT-CODE
           END-IF
           GOBACK.
       END PROGRAM FIRSTH.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LASTH.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HOW EXTERNAL        PIC X(8).
       01  ONE-MOVE            PIC S9(9) COMP VALUE 1.
       01  FC.
           05  FC-SEVERITY     PIC S9(4) COMP.
           05  FC-MESSAGE      PIC S9(4) COMP.
           05  FILLER          PIC X(8).
       COPY ONCOND.
           CALL 'CEEMRCR' USING ONE-MOVE FC
           DISPLAY 'LAST ' T-MESSAGE ' ' FC-MESSAGE
           GOBACK.
       END PROGRAM LASTH.
