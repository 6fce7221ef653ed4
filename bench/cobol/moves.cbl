       IDENTIFICATION DIVISION.
       PROGRAM-ID. MOVES.
      * Alphanumeric + conversion MOVEs: 6 per iteration.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 10000000.
       01  A80             PIC X(80) VALUE 'HELLO WORLD'.
       01  B80             PIC X(80).
       01  C20             PIC X(20) VALUE 'SHORT'.
       01  D80             PIC X(80).
       01  P7              PIC S9(7)V99 COMP-3 VALUE 12345.67.
       01  Z7              PIC S9(7)V99.
       01  B9              PIC S9(9) COMP VALUE 31415.
       01  Z9              PIC 9(9).
       01  P9              PIC S9(9) COMP-3.
       01  B4              PIC S9(5) COMP.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               MOVE A80 TO B80
               MOVE C20 TO D80
               MOVE P7 TO Z7
               MOVE B9 TO Z9
               MOVE Z9 TO P9
               MOVE P9 TO B4
           END-PERFORM.
           DISPLAY B80(1:12) D80(1:10) Z9.
           MOVE Z7 TO OUT-1
           DISPLAY 'Z7' OUT-1.
           MOVE P9 TO OUT-2
           DISPLAY 'P9' OUT-2.
           MOVE B4 TO OUT-2
           DISPLAY 'B4' OUT-2.
           STOP RUN.
