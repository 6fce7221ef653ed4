       IDENTIFICATION DIVISION.
       PROGRAM-ID. STRINGS.
      * STRING / UNSTRING / INSPECT / reference modification.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 2000000.
       01  FNAME           PIC X(20) VALUE 'MARIA'.
       01  LNAME           PIC X(20) VALUE 'GONZALEZ'.
       01  WS-FULL            PIC X(60).
       01  P               PIC S9(4) COMP.
       01  CSVL            PIC X(60) VALUE 'ALPHA,BETA,GAMMA,DELTA'.
       01  W1              PIC X(10).
       01  W2              PIC X(10).
       01  W3              PIC X(10).
       01  W4              PIC X(10).
       01  CNT             PIC S9(4) COMP VALUE 0.
       01  TOT             PIC S9(9) COMP VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               MOVE SPACES TO WS-FULL
               MOVE 1 TO P
               STRING LNAME DELIMITED BY SPACE
                      ', '  DELIMITED BY SIZE
                      FNAME DELIMITED BY SPACE
                 INTO WS-FULL WITH POINTER P
               END-STRING
               UNSTRING CSVL DELIMITED BY ',' OR SPACE
                 INTO W1 W2 W3 W4
               END-UNSTRING
               MOVE 0 TO CNT
               INSPECT WS-FULL TALLYING CNT FOR ALL 'A'
               INSPECT WS-FULL REPLACING ALL 'Z' BY 'S'
               ADD CNT TO TOT
               MOVE WS-FULL(3:5) TO W1
           END-PERFORM.
           DISPLAY WS-FULL ' ' W1 W2 W3 W4.
           MOVE TOT TO OUT-2
           DISPLAY 'TOT' OUT-2.
           STOP RUN.
