       IDENTIFICATION DIVISION.
       PROGRAM-ID. BINARY.
      * Binary (COMP, big-endian S9(9)) arithmetic: 3 stmts/iter.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 100000000.
       01  A               PIC S9(9) COMP VALUE 0.
       01  B               PIC S9(9) COMP VALUE 3.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               ADD B TO A
               SUBTRACT 2 FROM A
               IF A > 500000 MOVE 0 TO A END-IF
           END-PERFORM.
           MOVE A TO OUT-2
           DISPLAY 'A' OUT-2.
           STOP RUN.
