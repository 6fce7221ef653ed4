       IDENTIFICATION DIVISION.
       PROGRAM-ID. XFER.
      ******************************************************************
      * MOVES AN AMOUNT FROM AN ACCOUNT IN A FILE TO ONE IN A TABLE, WITH
      * AN ENTRY IN A LEDGER ON EITHER SIDE, IN ONE UNIT OF WORK. THE
      * NUMBER OF THE TRANSFER IS THE KEY OF BOTH ENTRIES. OF THREE
      * TRANSFERS TWO HAVE AN ENTRY AT ANOTHER LOCATION AS WELL.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       77  WS-RESP                         PIC S9(8) COMP.
       77  WS-AMOUNT                       PIC S9(9)V99 COMP-3.
       77  WS-ACCOUNT-KEY                  PIC 9(8).
       01  HV-TRANSFER                     PIC S9(9) COMP.
       01  HV-ACCOUNT                      PIC S9(9) COMP.
       01  HV-AMOUNT                       PIC S9(9)V99 COMP-3.
       01  ACCOUNT-RECORD.
           05  AR-KEY                      PIC 9(8).
           05  AR-BALANCE                  PIC S9(9)V99 COMP-3.
           05  FILLER                      PIC X(26).
       01  LEDGER-RECORD.
           05  LR-KEY                      PIC 9(8).
           05  LR-AMOUNT                   PIC S9(9)V99 COMP-3.
           05  FILLER                      PIC X(26) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  LK-TRANSFER                 PIC 9(8).
           05  LK-ACCOUNT                  PIC 9(8).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE LK-TRANSFER TO HV-TRANSFER LR-KEY
           MOVE LK-ACCOUNT TO HV-ACCOUNT WS-ACCOUNT-KEY
           COMPUTE WS-AMOUNT = FUNCTION MOD(HV-TRANSFER 97) + 0.25
           MOVE WS-AMOUNT TO HV-AMOUNT LR-AMOUNT
           EXEC CICS READ FILE('ACCOUNT') INTO(ACCOUNT-RECORD)
                RIDFLD(WS-ACCOUNT-KEY) UPDATE
           END-EXEC
           SUBTRACT WS-AMOUNT FROM AR-BALANCE
           EXEC CICS REWRITE FILE('ACCOUNT') FROM(ACCOUNT-RECORD)
           END-EXEC
           EXEC SQL
               UPDATE XFER.ACCOUNT
                  SET BALANCE = BALANCE + :HV-AMOUNT
                WHERE ACCOUNT = :HV-ACCOUNT
           END-EXEC
           PERFORM CHECK-SQL
           EXEC CICS WRITE FILE('LEDGER') FROM(LEDGER-RECORD)
                RIDFLD(LR-KEY)
           END-EXEC
           EXEC SQL
               INSERT INTO XFER.LEDGER (TRANSFER, ACCOUNT, AMOUNT)
               VALUES (:HV-TRANSFER, :HV-ACCOUNT, :HV-AMOUNT)
           END-EXEC
           PERFORM CHECK-SQL
           IF FUNCTION MOD(HV-TRANSFER 3) NOT = 0
               EXEC SQL CONNECT TO BRANCH END-EXEC
               PERFORM CHECK-SQL
               EXEC SQL
                   INSERT INTO XFER.LEDGER (TRANSFER, AMOUNT)
                   VALUES (:HV-TRANSFER, :HV-AMOUNT)
               END-EXEC
               PERFORM CHECK-SQL
               EXEC SQL CONNECT RESET END-EXEC
           END-IF
           IF FUNCTION MOD(HV-TRANSFER 13) = 0
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           ELSE
               EXEC CICS LINK PROGRAM('XFERTELL') COMMAREA(DFHCOMMAREA)
               END-EXEC
               EXEC CICS SYNCPOINT END-EXEC
               EXEC CICS LINK PROGRAM('XFERDONE') COMMAREA(DFHCOMMAREA)
               END-EXEC
           END-IF
           EXEC CICS RETURN END-EXEC.

       CHECK-SQL.
           IF SQLCODE NOT = 0
               EXEC CICS ABEND ABCODE('XSQL') NODUMP END-EXEC
           END-IF.
