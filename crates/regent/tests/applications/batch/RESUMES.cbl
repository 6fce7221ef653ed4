      *A handler of the program itself: on behind each statement that fails.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. RESUMES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER         PROCEDURE-POINTER.
       01  WS-TOKEN        PIC S9(9) COMP VALUE 1.
       01  FC              PIC X(12).
       01  WS-A            PIC S9(5) COMP-3 VALUE 7.
       01  WS-B            PIC S9(5) COMP-3 VALUE 0.
       01  N               PIC S9(5) COMP-3 VALUE 0.
       01  I               PIC 9(4).
       01  G.
           05 P            PIC S9(5) COMP-3.
       01  HOW EXTERNAL    PIC X(8).
       LINKAGE SECTION.
       01  L               PIC X(4).
       01  PARM.
           05  PARM-LENGTH     PIC S9(4) COMP.
           05  PARM-TEXT       PIC X(8).
       PROCEDURE DIVISION USING PARM.
           MOVE PARM-TEXT(1:PARM-LENGTH) TO HOW
           MOVE SPACES TO G
           SET HANDLER TO ENTRY 'ONERROR'
           CALL 'CEEHDLR' USING HANDLER WS-TOKEN FC
           DIVIDE WS-B INTO WS-A
           DISPLAY 'BEHIND DIVIDE ' WS-A
           PERFORM FAILING 2 TIMES
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
               IF I = 2
                   ADD P TO N
                   DISPLAY 'BEHIND ADD IN LOOP ' I
               END-IF
               ADD 1 TO N
           END-PERFORM
           PERFORM 3 TIMES
               ADD 1 TO N
               COMPUTE N = N + P
               ADD 1 TO N
           END-PERFORM
           DISPLAY 'N ' N
           SET ADDRESS OF L TO NULL
           MOVE 'X' TO L
           IF P > 5
              DISPLAY 'NOT REACHED'
           ELSE
              DISPLAY 'NOT REACHED EITHER'
           END-IF
           DISPLAY 'END'
           GOBACK.
       FAILING.
           ADD P TO N
           DISPLAY 'BEHIND ADD'.
       END PROGRAM RESUMES.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ONERROR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-MOVE         PIC S9(9) COMP VALUE 0.
       01  HOW EXTERNAL    PIC X(8).
       COPY HDLRARGS.
           DISPLAY 'FAILED ' T-MESSAGE
           IF HOW = 'MOVE'
               CALL 'CEEMRCR' USING WS-MOVE OMITTED
           END-IF
           MOVE 10 TO RESULT-CODE
           GOBACK.
       END PROGRAM ONERROR.
