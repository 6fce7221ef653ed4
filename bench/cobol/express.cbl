       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXPRESS.
      * COMPUTE of long expressions in mixed usages.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 1000000.
       01  A               PIC S9(5)V99  COMP-3 VALUE 123.45.
       01  B               PIC S9(4)     COMP   VALUE 7.
       01  C               PIC S9(3)V9   VALUE 12.5.
       01  D               PIC S9(7)V99  COMP-3 VALUE 9876.54.
       01  E               PIC S9(3)     COMP-3 VALUE 17.
       01  R               PIC S9(11)V99 COMP-3 VALUE 0.
       01  S               PIC S9(13)V99 COMP-3 VALUE 0.
       01  Q               PIC S9(9)V9(4) COMP-3 VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               COMPUTE R = (A + B) * C - D + E * (A - C) + E * E
               COMPUTE Q ROUNDED = (R + D) * E / (B + C)
               COMPUTE S = S + Q - (R * 2 - E) + A * E * C
               IF S > 1000000000 OR S < -1000000000
                  MOVE 0 TO S
               END-IF
               ADD 0.01 TO A
               IF A > 999 MOVE 1 TO A END-IF
           END-PERFORM.
           MOVE R TO OUT-1.
           DISPLAY 'R' OUT-1.
           MOVE S TO OUT-1.
           DISPLAY 'S' OUT-1.
           STOP RUN.
