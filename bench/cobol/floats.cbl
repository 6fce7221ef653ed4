       IDENTIFICATION DIVISION.
       PROGRAM-ID. FLOATS.
      * COMP-1 and COMP-2 arithmetic: 4 statements/iteration.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 500000.
       01  X               COMP-2 VALUE 0.
       01  Y               COMP-2 VALUE 1.5.
       01  Z               COMP-1 VALUE 0.25.
       01  T               COMP-2 VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               COMPUTE X = Z + Y * 0.5
               ADD X TO T
               COMPUTE Y = 0.75 + X / 2
               IF T > 1000000 MOVE 0 TO T END-IF
           END-PERFORM.
           COMPUTE OUT-1 ROUNDED = T.
           DISPLAY 'T' OUT-1.
           STOP RUN.
