      * LEDG account amount: adds to an account of the ledger, and notes it
      * in a recoverable queue of the region. Both happen, or neither.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LEDGAPP.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY LEDGADD.
       01  INPUT-LINE.
           05  FILLER              PIC X(5).
           05  INPUT-ACCOUNT       PIC X(8).
           05  FILLER              PIC X.
           05  INPUT-AMOUNT        PIC 9(4).
           05  FILLER              PIC X.
           05  INPUT-ACTION        PIC X(4).
       01  INPUT-LENGTH            PIC S9(4) COMP.
       01  ANSWER                  PIC X(40) VALUE SPACES.
       01  SHOWN                   PIC -(7)9.
       01  ITEM-NUMBER             PIC S9(4) COMP VALUE 0.
       01  SHOWN-ITEM              PIC -(4)9.
       PROCEDURE DIVISION.
           MOVE SPACES TO INPUT-LINE.
           MOVE LENGTH OF INPUT-LINE TO INPUT-LENGTH.
           EXEC CICS RECEIVE INTO(INPUT-LINE) LENGTH(INPUT-LENGTH)
                NOHANDLE END-EXEC.
           MOVE INPUT-ACCOUNT TO LEDGER-ACCOUNT.
           MOVE INPUT-AMOUNT TO LEDGER-AMOUNT.
           CALL 'LEDGADD' USING LEDGER-ENTRY.
           IF RETURN-CODE NOT = 0
              MOVE 'THE LEDGER DOES NOT ANSWER' TO ANSWER
              PERFORM REPLY.
           IF INPUT-ACTION NOT = 'ONLY'
              EXEC CICS WRITEQ TS QUEUE('LEDGERQ') FROM(LEDGER-ENTRY)
                   ITEM(ITEM-NUMBER) END-EXEC.
           IF INPUT-ACTION = 'BACK'
              EXEC CICS SYNCPOINT ROLLBACK END-EXEC
              MOVE 'BACKED OUT' TO ANSWER
              PERFORM REPLY.
           EXEC CICS SYNCPOINT END-EXEC.
           MOVE LEDGER-BALANCE TO SHOWN.
           MOVE ITEM-NUMBER TO SHOWN-ITEM.
           STRING 'BALANCE' SHOWN ' ITEM' SHOWN-ITEM DELIMITED BY SIZE
                  INTO ANSWER.
           PERFORM REPLY.
       REPLY.
           EXEC CICS SEND FROM(ANSWER) ERASE END-EXEC.
           EXEC CICS RETURN END-EXEC.
