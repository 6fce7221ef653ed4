       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKXFER.
      ******************************************************************
      * TRANSACTION BXFR: MOVE MONEY BETWEEN TWO ACCOUNTS. BOTH ACCOUNTS
      * AND THE JOURNAL CHANGE IN ONE UNIT OF WORK.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKXFER'.
       77  WS-AMOUNT                       PIC S9(11)V99 COMP-3.
       77  WS-AVAILABLE                    PIC S9(11)V99 COMP-3.
       77  WS-NUMBER-TEXT                  PIC X(20) VALUE SPACES.
       77  WS-FROM-NO                      PIC 9(10) VALUE ZERO.
       77  WS-TO-NO                        PIC 9(10) VALUE ZERO.
      *    TWO RECORDS OF ONE FILE ARE HELD FOR UPDATE AT THE SAME TIME:
      *    A TOKEN TELLS THEM APART
       77  WS-FROM-TOKEN                   PIC S9(08) COMP VALUE ZERO.
       77  WS-TO-TOKEN                     PIC S9(08) COMP VALUE ZERO.
       77  WS-ABEND-CODE                   PIC X(04) VALUE SPACES.
       77  WS-VALID                        PIC X(01) VALUE 'Y'.
           88  INPUT-VALID                 VALUE 'Y'.
           88  INPUT-INVALID               VALUE 'N'.
       COPY BNKWORK.
       COPY BNKCOMM.
       COPY BNKERRC.
       01  FROM-RECORD.
       COPY BNKACCC REPLACING ==:PFX:== BY ==FROM==.
       01  TO-RECORD.
       COPY BNKACCC REPLACING ==:PFX:== BY ==TO==.
       01  JOURNAL-RECORD.
       COPY BNKJRNC REPLACING ==:PFX:== BY ==JRN==.
       COPY BNKXF.
       COPY DFHAID.
       COPY DFHBMSCA.

       LINKAGE SECTION.
       01  DFHCOMMAREA                     PIC X(450).

       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBCALEN = 0
               EXEC CICS XCTL PROGRAM('BNKSIGN') END-EXEC
           END-IF
           MOVE DFHCOMMAREA TO BNK-COMMAREA
           MOVE LOW-VALUES TO XFERMAPO
           EXEC CICS HANDLE ABEND LABEL(TRANSFER-ABENDED) END-EXEC
           EVALUATE TRUE
               WHEN CA-NEW
                   PERFORM SEND-WHOLE-SCREEN
               WHEN EIBAID = DFHPF3
                   PERFORM RETURN-TO-MENU
               WHEN EIBAID = DFHCLEAR
                   PERFORM SEND-WHOLE-SCREEN
               WHEN EIBAID = DFHENTER
                   PERFORM RECEIVE-SCREEN
                   IF INPUT-VALID
                       PERFORM TRANSFER
                   END-IF
                   PERFORM SEND-DATA-ONLY
               WHEN OTHER
                   MOVE 'THAT KEY HAS NO FUNCTION HERE' TO WS-MESSAGE
                   PERFORM SEND-DATA-ONLY
           END-EVALUATE
           PERFORM WAIT-FOR-INPUT.

       RECEIVE-SCREEN.
           SET INPUT-VALID TO TRUE
           EXEC CICS RECEIVE MAP('XFERMAP') MAPSET('BNKXF')
                RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO XFERMAPI
           END-IF
           IF REFL = 0
               MOVE SPACES TO REFI
           END-IF
           EVALUATE TRUE
               WHEN FROML = 0 OR FROMI NOT NUMERIC
                   MOVE 'TYPE THE ACCOUNT TO TAKE FROM' TO WS-MESSAGE
                   MOVE -1 TO FROML
                   SET INPUT-INVALID TO TRUE
               WHEN TOL = 0 OR TOI NOT NUMERIC
                   MOVE 'TYPE THE ACCOUNT TO GIVE TO' TO WS-MESSAGE
                   MOVE -1 TO TOL
                   SET INPUT-INVALID TO TRUE
               WHEN FROMI = TOI
                   MOVE 'THE TWO ACCOUNTS ARE THE SAME' TO WS-MESSAGE
                   MOVE -1 TO TOL
                   SET INPUT-INVALID TO TRUE
               WHEN AMOUNTL = 0
                   MOVE 'TYPE THE AMOUNT' TO WS-MESSAGE
                   MOVE -1 TO AMOUNTL
                   SET INPUT-INVALID TO TRUE
               WHEN OTHER
                   MOVE FROMI TO WS-FROM-NO
                   MOVE TOI   TO WS-TO-NO
                   PERFORM TAKE-AMOUNT
           END-EVALUATE.

       TAKE-AMOUNT.
           MOVE AMOUNTI TO WS-NUMBER-TEXT
           INSPECT WS-NUMBER-TEXT REPLACING ALL LOW-VALUE BY SPACE
           CALL 'BNKNUM' USING WS-NUMBER-TEXT WS-VALID
           IF INPUT-VALID
               COMPUTE WS-AMOUNT = FUNCTION NUMVAL (WS-NUMBER-TEXT)
                   ON SIZE ERROR SET INPUT-INVALID TO TRUE
               END-COMPUTE
           END-IF
           IF INPUT-INVALID OR WS-AMOUNT NOT > ZERO
               MOVE 'THE AMOUNT IS NOT A NUMBER ABOVE ZERO'
                 TO WS-MESSAGE
               MOVE -1 TO AMOUNTL
               SET INPUT-INVALID TO TRUE
           END-IF.

      *    THE LOWER ACCOUNT NUMBER IS ALWAYS LOCKED FIRST, SO THAT TWO
      *    TRANSFERS IN OPPOSITE DIRECTIONS CANNOT DEADLOCK
       TRANSFER.
           IF WS-FROM-NO < WS-TO-NO
               PERFORM LOCK-FROM-ACCOUNT
               IF INPUT-VALID PERFORM LOCK-TO-ACCOUNT END-IF
           ELSE
               PERFORM LOCK-TO-ACCOUNT
               IF INPUT-VALID PERFORM LOCK-FROM-ACCOUNT END-IF
           END-IF
           IF INPUT-VALID
               PERFORM CHECK-RULES
           END-IF
           IF INPUT-VALID
               PERFORM POST-TRANSFER
           END-IF
           IF INPUT-INVALID
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           END-IF.

       LOCK-FROM-ACCOUNT.
           EXEC CICS READ FILE('ACCOUNT') INTO(FROM-RECORD)
                RIDFLD(WS-FROM-NO) UPDATE TOKEN(WS-FROM-TOKEN)
                RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE -1 TO FROML
               PERFORM LOCK-FAILED
           END-IF.

       LOCK-TO-ACCOUNT.
           EXEC CICS READ FILE('ACCOUNT') INTO(TO-RECORD)
                RIDFLD(WS-TO-NO) UPDATE TOKEN(WS-TO-TOKEN)
                RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE -1 TO TOL
               PERFORM LOCK-FAILED
           END-IF.

       LOCK-FAILED.
           SET INPUT-INVALID TO TRUE
           IF WS-RESP = DFHRESP(NOTFND)
               MOVE 'ACCOUNT NOT FOUND' TO WS-MESSAGE
           ELSE
               MOVE 'READ UPDATE' TO ER-FUNCTION
               PERFORM FILE-ERROR
           END-IF.

       CHECK-RULES.
           COMPUTE WS-AVAILABLE =
               FROM-BALANCE + FROM-OVERDRAFT-LIMIT
           EVALUATE TRUE
               WHEN NOT FROM-OPEN
                   MOVE 'THE ACCOUNT TO TAKE FROM IS NOT OPEN'
                     TO WS-MESSAGE
                   SET INPUT-INVALID TO TRUE
               WHEN NOT TO-OPEN
                   MOVE 'THE ACCOUNT TO GIVE TO IS NOT OPEN'
                     TO WS-MESSAGE
                   SET INPUT-INVALID TO TRUE
               WHEN WS-AMOUNT > WS-AVAILABLE
                   MOVE 'NOT ENOUGH MONEY IN THE ACCOUNT' TO WS-MESSAGE
                   MOVE DFHRED TO FROMBALC
                   MOVE FROM-BALANCE TO FROMBALO
                   SET INPUT-INVALID TO TRUE
           END-EVALUATE.

       POST-TRANSFER.
           PERFORM GET-DATE-AND-TIME
           MOVE WS-ABSTIME   TO JRN-ABSTIME
           MOVE EIBTASKN     TO JRN-TASK-NO
           SUBTRACT WS-AMOUNT FROM FROM-BALANCE
           ADD WS-AMOUNT TO TO-BALANCE
               ON SIZE ERROR
                   MOVE 'THE BALANCE WOULD BE TOO LARGE' TO WS-MESSAGE
                   SET INPUT-INVALID TO TRUE
           END-ADD
           IF INPUT-VALID
               PERFORM WRITE-ALL
           END-IF.

       WRITE-ALL.
           MOVE WS-TIMESTAMP    TO FROM-LAST-TRANSFER-AT
                                   TO-LAST-TRANSFER-AT JRN-AT
           MOVE JRN-TRANSFER-NO TO FROM-LAST-TRANSFER-NO
                                   TO-LAST-TRANSFER-NO
           ADD 1 TO FROM-VERSION TO-VERSION
           MOVE WS-FROM-NO      TO JRN-FROM-ACCOUNT
           MOVE WS-TO-NO        TO JRN-TO-ACCOUNT
           MOVE WS-AMOUNT       TO JRN-AMOUNT
           MOVE FROM-BALANCE    TO JRN-FROM-BALANCE
           MOVE TO-BALANCE      TO JRN-TO-BALANCE
           MOVE CA-TELLER-ID    TO JRN-TELLER
           MOVE REFI            TO JRN-REFERENCE
           PERFORM REWRITE-FROM
           IF INPUT-VALID PERFORM REWRITE-TO END-IF
           IF INPUT-VALID PERFORM WRITE-JOURNAL END-IF
           IF INPUT-VALID
               EXEC CICS SYNCPOINT RESP(WS-RESP) END-EXEC
               IF WS-RESP = DFHRESP(NORMAL)
                   PERFORM SHOW-RESULT
               ELSE
                   MOVE 'THE TRANSFER WAS ROLLED BACK' TO WS-MESSAGE
               END-IF
           END-IF.

       REWRITE-FROM.
           EXEC CICS REWRITE FILE('ACCOUNT') FROM(FROM-RECORD)
                TOKEN(WS-FROM-TOKEN) RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE 'REWRITE' TO ER-FUNCTION
               SET INPUT-INVALID TO TRUE
               PERFORM FILE-ERROR
           END-IF.

       REWRITE-TO.
           EXEC CICS REWRITE FILE('ACCOUNT') FROM(TO-RECORD)
                TOKEN(WS-TO-TOKEN) RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE 'REWRITE' TO ER-FUNCTION
               SET INPUT-INVALID TO TRUE
               PERFORM FILE-ERROR
           END-IF.

       WRITE-JOURNAL.
           EXEC CICS WRITE FILE('JOURNAL') FROM(JOURNAL-RECORD)
                RIDFLD(JRN-TRANSFER-NO) RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE 'WRITE'   TO ER-FUNCTION
               MOVE 'JOURNAL' TO ER-RESOURCE
               SET INPUT-INVALID TO TRUE
               PERFORM REPORT-ERROR
           END-IF.

       SHOW-RESULT.
           MOVE FROM-BALANCE    TO FROMBALO
           MOVE TO-BALANCE      TO TOBALO
           MOVE JRN-TRANSFER-NO TO XFERNOO
           MOVE 'TRANSFER DONE' TO WS-MESSAGE.

      *    AN ABEND IN THIS TASK COMES HERE: NOTHING OF THE TRANSFER IS
      *    KEPT
       TRANSFER-ABENDED.
           EXEC CICS ASSIGN ABCODE(WS-ABEND-CODE) END-EXEC
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           STRING 'THE TRANSFER FAILED WITH ABEND ' DELIMITED BY SIZE
                  WS-ABEND-CODE                     DELIMITED BY SIZE
             INTO WS-MESSAGE
           MOVE LOW-VALUES TO XFERMAPO
           PERFORM SEND-DATA-ONLY
           PERFORM WAIT-FOR-INPUT.

       FILE-ERROR.
           MOVE 'ACCOUNT' TO ER-RESOURCE
           PERFORM REPORT-ERROR.

       SEND-WHOLE-SCREEN.
           PERFORM FILL-HEADING
           EXEC CICS SEND MAP('XFERMAP') MAPSET('BNKXF') FROM(XFERMAPO)
                ERASE FREEKB
           END-EXEC.

       SEND-DATA-ONLY.
           PERFORM FILL-HEADING
           EXEC CICS SEND MAP('XFERMAP') MAPSET('BNKXF') FROM(XFERMAPO)
                DATAONLY CURSOR FREEKB
           END-EXEC.

       WAIT-FOR-INPUT.
           SET CA-WAITING TO TRUE
           EXEC CICS RETURN TRANSID('BXFR') COMMAREA(BNK-COMMAREA)
           END-EXEC.

       COPY BNKEXIT.
       COPY BNKHEAD REPLACING ==:MAP:== BY ==XFERMAPO==.
       COPY BNKTIME.
