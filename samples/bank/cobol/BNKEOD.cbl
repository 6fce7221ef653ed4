       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKEOD.
      ******************************************************************
      * TRANSACTION BEOD, STARTED WITHOUT A TERMINAL: THE END-OF-DAY
      * LISTING. READS EVERY ACCOUNT AND EVERY TRANSFER, WRITES TOTALS
      * AND THE OVERDRAWN ACCOUNTS TO TEMPORARY STORAGE QUEUE BNKEOD
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-QUEUE                        PIC X(08) VALUE 'BNKEOD'.
       77  WS-KEY                          PIC 9(10) VALUE ZERO.
       77  WS-JOURNAL-KEY                  PIC X(22) VALUE LOW-VALUES.
       77  WS-TELLER-ID                    PIC X(08) VALUE SPACES.
       77  WS-LENGTH                       PIC S9(04) COMP.
       77  WS-OVERDRAWN                    PIC S9(08) COMP VALUE ZERO.
       77  WS-OVERDRAWN-MAXIMUM            PIC S9(08) COMP VALUE +200.
       77  WS-BREATH                       PIC S9(08) COMP VALUE ZERO.
       77  WS-TYPE-IX                      PIC S9(04) COMP.
       77  WS-EDIT-COUNT                   PIC ZZZ,ZZZ,ZZ9.
       77  WS-EDIT-AMOUNT                  PIC -Z,ZZZ,ZZZ,ZZZ,ZZ9.99.
       COPY BNKWORK.
       01  WS-LINE                         PIC X(79) VALUE SPACES.
       01  WS-TOTALS.
           05  TT-ACCOUNTS                 PIC S9(09) COMP VALUE ZERO.
           05  TT-BALANCE                  PIC S9(15)V99 COMP-3
                                           VALUE ZERO.
           05  TT-TRANSFERS                PIC S9(09) COMP VALUE ZERO.
           05  TT-TRANSFERRED              PIC S9(15)V99 COMP-3
                                           VALUE ZERO.
       01  WS-TYPE-NAMES                   PIC X(09) VALUE 'CHKSAVLON'.
       01  FILLER REDEFINES WS-TYPE-NAMES.
           05  TYPE-NAME OCCURS 3 TIMES    PIC X(03).
       01  WS-TYPE-TOTALS.
           05  TYPE-TOTAL OCCURS 3 TIMES.
               10  TYPE-COUNT              PIC S9(09) COMP.
               10  TYPE-BALANCE            PIC S9(15)V99 COMP-3.
       01  ACCOUNT-RECORD.
       COPY BNKACCC REPLACING ==:PFX:== BY ==ACCT==.
       01  JOURNAL-RECORD.
       COPY BNKJRNC REPLACING ==:PFX:== BY ==JRN==.

       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM GET-REQUEST
           PERFORM GET-DATE-AND-TIME
           INITIALIZE WS-TYPE-TOTALS
           EXEC CICS DELETEQ TS QUEUE(WS-QUEUE) RESP(WS-RESP) END-EXEC
           STRING 'FIRST RIVER BANK  END-OF-DAY LISTING  '
                      DELIMITED BY SIZE
                  WS-TIMESTAMP DELIMITED BY SIZE
                  '  FOR ' DELIMITED BY SIZE
                  WS-TELLER-ID DELIMITED BY SIZE
             INTO WS-LINE
           PERFORM WRITE-LINE
           MOVE 'OVERDRAWN ACCOUNTS' TO WS-LINE
           PERFORM WRITE-LINE
           PERFORM READ-ALL-ACCOUNTS
           PERFORM READ-ALL-TRANSFERS
           PERFORM WRITE-TOTALS
           EXEC CICS WRITE OPERATOR
                TEXT('BANK END-OF-DAY LISTING IS READY')
           END-EXEC
           EXEC CICS RETURN END-EXEC.

       GET-REQUEST.
           MOVE LENGTH OF WS-TELLER-ID TO WS-LENGTH
           EXEC CICS RETRIEVE INTO(WS-TELLER-ID) LENGTH(WS-LENGTH)
                RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE 'OPERATOR' TO WS-TELLER-ID
           END-IF.

       READ-ALL-ACCOUNTS.
           EXEC CICS STARTBR FILE('ACCOUNT') RIDFLD(WS-KEY) GTEQ
                RESP(WS-RESP)
           END-EXEC
           PERFORM UNTIL WS-RESP NOT = DFHRESP(NORMAL)
               EXEC CICS READNEXT FILE('ACCOUNT') INTO(ACCOUNT-RECORD)
                    RIDFLD(WS-KEY) RESP(WS-RESP)
               END-EXEC
               IF WS-RESP = DFHRESP(NORMAL)
                   PERFORM COUNT-ACCOUNT
                   PERFORM TAKE-A-BREATH
               END-IF
           END-PERFORM
           EXEC CICS ENDBR FILE('ACCOUNT') RESP(WS-RESP) END-EXEC.

       COUNT-ACCOUNT.
           ADD 1 TO TT-ACCOUNTS
           ADD ACCT-BALANCE TO TT-BALANCE
           EVALUATE TRUE
               WHEN ACCT-CHECKING  MOVE 1 TO WS-TYPE-IX
               WHEN ACCT-SAVINGS   MOVE 2 TO WS-TYPE-IX
               WHEN OTHER          MOVE 3 TO WS-TYPE-IX
           END-EVALUATE
           ADD 1            TO TYPE-COUNT (WS-TYPE-IX)
           ADD ACCT-BALANCE TO TYPE-BALANCE (WS-TYPE-IX)
           IF ACCT-BALANCE < ZERO AND NOT ACCT-LOAN
               ADD 1 TO WS-OVERDRAWN
               IF WS-OVERDRAWN NOT > WS-OVERDRAWN-MAXIMUM
                   MOVE ACCT-BALANCE TO WS-EDIT-AMOUNT
                   STRING '  ' ACCT-ACCOUNT-NO '  ' ACCT-TYPE '  '
                          WS-EDIT-AMOUNT DELIMITED BY SIZE
                     INTO WS-LINE
                   PERFORM WRITE-LINE
               END-IF
           END-IF.

       READ-ALL-TRANSFERS.
           EXEC CICS STARTBR FILE('JOURNAL') RIDFLD(WS-JOURNAL-KEY)
                GTEQ RESP(WS-RESP)
           END-EXEC
           IF WS-RESP = DFHRESP(NORMAL)
               PERFORM UNTIL WS-RESP NOT = DFHRESP(NORMAL)
                   EXEC CICS READNEXT FILE('JOURNAL')
                        INTO(JOURNAL-RECORD) RIDFLD(WS-JOURNAL-KEY)
                        RESP(WS-RESP)
                   END-EXEC
                   IF WS-RESP = DFHRESP(NORMAL)
                       ADD 1          TO TT-TRANSFERS
                       ADD JRN-AMOUNT TO TT-TRANSFERRED
                       PERFORM TAKE-A-BREATH
                   END-IF
               END-PERFORM
               EXEC CICS ENDBR FILE('JOURNAL') END-EXEC
           END-IF.

      *    A LONG BROWSE LETS THE OTHER TASKS OF THE REGION RUN
       TAKE-A-BREATH.
           ADD 1 TO WS-BREATH
           IF WS-BREATH >= 500
               MOVE ZERO TO WS-BREATH
               EXEC CICS SUSPEND END-EXEC
           END-IF.

       WRITE-TOTALS.
           MOVE WS-OVERDRAWN TO WS-EDIT-COUNT
           STRING 'OVERDRAWN    ' WS-EDIT-COUNT DELIMITED BY SIZE
             INTO WS-LINE
           PERFORM WRITE-LINE
           PERFORM VARYING WS-TYPE-IX FROM 1 BY 1 UNTIL WS-TYPE-IX > 3
               MOVE TYPE-COUNT (WS-TYPE-IX)   TO WS-EDIT-COUNT
               MOVE TYPE-BALANCE (WS-TYPE-IX) TO WS-EDIT-AMOUNT
               STRING TYPE-NAME (WS-TYPE-IX) '          '
                      WS-EDIT-COUNT '  ' WS-EDIT-AMOUNT
                      DELIMITED BY SIZE
                 INTO WS-LINE
               PERFORM WRITE-LINE
           END-PERFORM
           MOVE TT-ACCOUNTS TO WS-EDIT-COUNT
           MOVE TT-BALANCE  TO WS-EDIT-AMOUNT
           STRING 'ALL ACCOUNTS ' WS-EDIT-COUNT '  ' WS-EDIT-AMOUNT
                  DELIMITED BY SIZE
             INTO WS-LINE
           PERFORM WRITE-LINE
           MOVE TT-TRANSFERS   TO WS-EDIT-COUNT
           MOVE TT-TRANSFERRED TO WS-EDIT-AMOUNT
           STRING 'TRANSFERS    ' WS-EDIT-COUNT '  ' WS-EDIT-AMOUNT
                  DELIMITED BY SIZE
             INTO WS-LINE
           PERFORM WRITE-LINE.

       WRITE-LINE.
           EXEC CICS WRITEQ TS QUEUE(WS-QUEUE) FROM(WS-LINE)
                LENGTH(LENGTH OF WS-LINE)
           END-EXEC
           MOVE SPACES TO WS-LINE.

       COPY BNKTIME.
