       IDENTIFICATION DIVISION.
       PROGRAM-ID. INTEREST.
      * Compound-interest style COMPUTE: multiply, divide, ROUNDED,
      * ON SIZE ERROR, mixed COMP-3 / COMP / DISPLAY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 2000000.
       01  BAL             PIC S9(11)V99 COMP-3 VALUE 10000.00.
       01  RATE            PIC S9(3)V9(4) COMP-3 VALUE 4.2500.
       01  INTEREST        PIC S9(9)V99  COMP-3 VALUE 0.
       01  DAYS            PIC S9(4) COMP VALUE 30.
       01  FEE             PIC S9(5)V99 VALUE 1.25.
       01  ERRS            PIC S9(9) COMP VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               COMPUTE INTEREST ROUNDED =
                   BAL * RATE * DAYS / 36500
                 ON SIZE ERROR ADD 1 TO ERRS
               END-COMPUTE
               COMPUTE BAL = BAL + INTEREST - FEE
                 ON SIZE ERROR ADD 1 TO ERRS
               END-COMPUTE
               IF BAL > 50000.00
                  MOVE 10000.00 TO BAL
               END-IF
           END-PERFORM.
           MOVE BAL TO OUT-1
           DISPLAY 'BAL' OUT-1.
           MOVE INTEREST TO OUT-1
           DISPLAY 'INT' OUT-1.
           MOVE ERRS TO OUT-2
           DISPLAY 'ERRS' OUT-2.
           STOP RUN.
