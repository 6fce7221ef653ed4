       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRANSACT.
      * "Transaction body" mix, about 40 statements per iteration:
      * parse a COMMAREA-like record, validate, look up, compute,
      * build an output record with edited fields.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 500000.
       01  COMM-IN.
           05 CI-TRAN      PIC X(4) VALUE 'PAYM'.
           05 CI-ACCT      PIC 9(8) VALUE 00000123.
           05 CI-AMT       PIC 9(7)V99 VALUE 123.45.
           05 CI-CCY       PIC X(3) VALUE 'EUR'.
           05 CI-REF       PIC X(20) VALUE 'INVOICE 2024/17'.
       01  ACCT-REC.
           05 AR-ACCT      PIC 9(8).
           05 AR-NAME      PIC X(30).
           05 AR-BAL       PIC S9(11)V99 COMP-3.
           05 AR-LIMIT     PIC S9(9)V99 COMP-3.
           05 AR-STATUS    PIC X.
              88 AR-OPEN   VALUE 'O'.
              88 AR-CLOSED VALUE 'C' 'X'.
           05 AR-TXN-CNT   PIC S9(7) COMP-3.
       01  MASTER-REC.
           05 MR-ACCT      PIC 9(8) VALUE 123.
           05 MR-NAME      PIC X(30) VALUE 'GONZALEZ, MARIA'.
           05 MR-BAL       PIC S9(11)V99 COMP-3 VALUE 5000.00.
           05 MR-LIMIT     PIC S9(9)V99 COMP-3 VALUE 1000.00.
           05 MR-STATUS    PIC X VALUE 'O'.
           05 MR-TXN-CNT   PIC S9(7) COMP-3 VALUE 41.
       01  CCY-TAB.
           05 FILLER       PIC X(10) VALUE 'USD0010000'.
           05 FILLER       PIC X(10) VALUE 'GBP0012701'.
           05 FILLER       PIC X(10) VALUE 'JPY0000067'.
           05 FILLER       PIC X(10) VALUE 'EUR0010823'.
           05 FILLER       PIC X(10) VALUE 'CHF0011304'.
       01  CCY-R REDEFINES CCY-TAB.
           05 CCY-E OCCURS 5 TIMES INDEXED BY CX.
              10 CCY-CODE  PIC X(3).
              10 CCY-RATE  PIC 9(3)V9(4).
       01  WS-USD          PIC S9(9)V99 COMP-3.
       01  WS-FEE          PIC S9(5)V99 COMP-3.
       01  WS-RC           PIC S9(4) COMP.
       01  WS-CHK          PIC S9(9) COMP VALUE 0.
       01  OUT-REC.
           05 OR-ACCT      PIC Z(7)9.
           05 FILLER       PIC X VALUE SPACE.
           05 OR-NAME      PIC X(20).
           05 OR-AMT       PIC Z,ZZZ,ZZ9.99-.
           05 OR-BAL       PIC ZZ,ZZZ,ZZZ,ZZ9.99-.
           05 OR-MSG       PIC X(40).
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM TXN-PARA THRU TXN-EXIT
             VARYING I FROM 1 BY 1 UNTIL I > N.
           DISPLAY OUT-REC.
           MOVE WS-CHK TO OUT-2
           DISPLAY 'CHK' OUT-2.
           STOP RUN.
       TXN-PARA.
           MOVE 0 TO WS-RC.
           INITIALIZE OUT-REC.
           MOVE MASTER-REC TO ACCT-REC.
           EVALUATE CI-TRAN
             WHEN 'INQY' MOVE 1 TO WS-RC
             WHEN 'XFER' MOVE 2 TO WS-RC
             WHEN 'PAYM' CONTINUE
             WHEN OTHER  MOVE 9 TO WS-RC
           END-EVALUATE.
           IF WS-RC NOT = 0
              GO TO TXN-EXIT.
           IF CI-ACCT NOT NUMERIC OR CI-AMT NOT NUMERIC
              MOVE 8 TO WS-RC
              GO TO TXN-EXIT.
           IF AR-ACCT NOT = CI-ACCT OR AR-CLOSED
              MOVE 7 TO WS-RC
              GO TO TXN-EXIT.
           SET CX TO 1.
           SEARCH CCY-E
             AT END MOVE 6 TO WS-RC
             WHEN CCY-CODE(CX) = CI-CCY
               COMPUTE WS-USD ROUNDED = CI-AMT * CCY-RATE(CX)
           END-SEARCH.
           IF WS-RC NOT = 0
              GO TO TXN-EXIT.
           PERFORM FEE-PARA.
           IF WS-USD > AR-LIMIT
              MOVE 5 TO WS-RC
              GO TO TXN-EXIT.
           SUBTRACT WS-USD WS-FEE FROM AR-BAL.
           ADD 1 TO AR-TXN-CNT.
           MOVE AR-ACCT TO OR-ACCT.
           MOVE AR-NAME TO OR-NAME.
           MOVE WS-USD TO OR-AMT.
           MOVE AR-BAL TO OR-BAL.
           STRING 'OK ' DELIMITED BY SIZE
                  CI-REF DELIMITED BY '  '
                  ' ' CI-CCY DELIMITED BY SIZE
             INTO OR-MSG.
           ADD 1 TO CI-AMT.
           IF CI-AMT > 900
              MOVE 1.23 TO CI-AMT.
           ADD AR-TXN-CNT TO WS-CHK.
       TXN-EXIT.
           EXIT.
       FEE-PARA.
           IF WS-USD < 100
              MOVE 0.50 TO WS-FEE
           ELSE
              COMPUTE WS-FEE ROUNDED = WS-USD * 0.0125
           END-IF.
