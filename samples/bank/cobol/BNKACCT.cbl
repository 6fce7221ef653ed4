       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKACCT.
      ******************************************************************
      * TRANSACTIONS BAIN AND BAUP: ACCOUNT INQUIRY; ACCOUNT UPDATE WITH
      * CHECK OF THE BEFORE-IMAGE, ADD AND DELETE. HOW MANY ACCOUNTS IS
      * IN THE CUSTOMER RECORD IS KEPT IN THE SAME UNIT OF WORK.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKACCT'.
       77  WS-TRANSID                      PIC X(04) VALUE 'BAIN'.
       77  WS-KEY                          PIC 9(10) VALUE ZERO.
       77  WS-SCREEN-KEY                   PIC X(10) VALUE SPACES.
       77  WS-CUSTOMER-KEY                 PIC 9(08) VALUE ZERO.
       77  WS-CHANGE                       PIC S9(04) COMP VALUE ZERO.
       77  WS-AVAILABLE                    PIC S9(11)V99 COMP-3.
       77  WS-NUMBER-TEXT                  PIC X(20) VALUE SPACES.
       77  WS-EDIT-LIMIT                   PIC Z(08)9.99.
       77  WS-EDIT-RATE                    PIC ZZ9.999.
       77  WS-FOUND                        PIC X(01) VALUE 'N'.
           88  RECORD-FOUND                VALUE 'Y'.
           88  RECORD-MISSING              VALUE 'N'.
       77  WS-VALID                        PIC X(01) VALUE 'Y'.
           88  INPUT-VALID                 VALUE 'Y'.
           88  INPUT-INVALID               VALUE 'N'.
       COPY BNKWORK.
       COPY BNKCOMM.
       COPY BNKERRC.
       01  ACCOUNT-RECORD.
       COPY BNKACCC REPLACING ==:PFX:== BY ==ACCT==.
       01  BEFORE-RECORD.
       COPY BNKACCC REPLACING ==:PFX:== BY ==BEFORE==.
       01  CUSTOMER-RECORD.
       COPY BNKCUSC REPLACING ==:PFX:== BY ==CUST==.
       COPY BNKAC.
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
           IF CA-MAINTAIN
               MOVE 'BAUP' TO WS-TRANSID
           END-IF
           MOVE LOW-VALUES TO ACCTMAPO
           IF CA-NEW
               PERFORM FIRST-SCREEN
           ELSE
               EVALUATE EIBAID
                   WHEN DFHPF3
                       PERFORM RETURN-TO-MENU
                   WHEN DFHCLEAR
                       MOVE ZERO TO CA-ACCOUNT-NO
                       PERFORM FIRST-SCREEN
                   WHEN DFHENTER
                       PERFORM RECEIVE-SCREEN
                       PERFORM SHOW-ACCOUNT
                   WHEN DFHPF5
                       PERFORM RECEIVE-SCREEN
                       PERFORM UPDATE-ACCOUNT
                   WHEN DFHPF6
                       PERFORM RECEIVE-SCREEN
                       PERFORM ADD-ACCOUNT
                   WHEN DFHPF9
                       PERFORM RECEIVE-SCREEN
                       PERFORM DELETE-ACCOUNT
                   WHEN OTHER
                       MOVE 'THAT KEY HAS NO FUNCTION HERE'
                         TO WS-MESSAGE
               END-EVALUATE
               PERFORM SEND-DATA-ONLY
           END-IF
           PERFORM WAIT-FOR-INPUT.

       FIRST-SCREEN.
           SET CA-WAITING TO TRUE
           IF CA-ACCOUNT-NO NOT = ZERO
               MOVE CA-ACCOUNT-NO TO WS-KEY
               PERFORM READ-ACCOUNT
               MOVE WS-KEY TO ACCTNOO
               IF RECORD-FOUND
                   PERFORM SHOW-FIELDS
               END-IF
           END-IF
           PERFORM FILL-HEADING
           MOVE -1 TO ACCTNOL
           EXEC CICS SEND MAP('ACCTMAP') MAPSET('BNKAC') FROM(ACCTMAPO)
                ERASE CURSOR FREEKB
           END-EXEC
           PERFORM WAIT-FOR-INPUT.

       RECEIVE-SCREEN.
           EXEC CICS RECEIVE MAP('ACCTMAP') MAPSET('BNKAC')
                RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO ACCTMAPI
           END-IF
           MOVE CA-ACCOUNT-NO TO WS-KEY
           IF ACCTNOL > 0
               MOVE ACCTNOI TO WS-SCREEN-KEY
               IF WS-SCREEN-KEY IS NUMERIC
                   MOVE WS-SCREEN-KEY TO WS-KEY
               ELSE
                   MOVE ZERO TO WS-KEY
               END-IF
           END-IF.

       SHOW-ACCOUNT.
           PERFORM READ-ACCOUNT
           IF RECORD-FOUND
               PERFORM SHOW-FIELDS
           END-IF
           MOVE -1 TO ACCTNOL.

       READ-ACCOUNT.
           SET RECORD-MISSING TO TRUE
           IF WS-KEY = ZERO
               MOVE 'TYPE AN ACCOUNT NUMBER' TO WS-MESSAGE
           ELSE
               EXEC CICS READ FILE('ACCOUNT') INTO(ACCOUNT-RECORD)
                    RIDFLD(WS-KEY) RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               EVALUATE WS-RESP
                   WHEN DFHRESP(NORMAL)
                       SET RECORD-FOUND TO TRUE
                       SET CA-SHOWN     TO TRUE
                       MOVE WS-KEY         TO CA-ACCOUNT-NO
                       MOVE ACCOUNT-RECORD TO CA-BEFORE-IMAGE
                   WHEN DFHRESP(NOTFND)
                       MOVE 'ACCOUNT NOT FOUND' TO WS-MESSAGE
                       SET CA-WAITING TO TRUE
                   WHEN OTHER
                       MOVE 'READ' TO ER-FUNCTION
                       PERFORM FILE-ERROR
               END-EVALUATE
           END-IF.

       SHOW-FIELDS.
           MOVE ACCT-ACCOUNT-NO      TO ACCTNOO
           MOVE ACCT-CUSTOMER-NO     TO CUSTNOO
           MOVE ACCT-TYPE            TO ATYPEO
           MOVE ACCT-STATUS          TO STATUSO
           MOVE ACCT-BALANCE         TO BALO
           COMPUTE WS-AVAILABLE = ACCT-BALANCE + ACCT-OVERDRAFT-LIMIT
           MOVE WS-AVAILABLE         TO AVAILO
           MOVE ACCT-OVERDRAFT-LIMIT TO WS-EDIT-LIMIT
           MOVE WS-EDIT-LIMIT        TO LIMITO
           MOVE ACCT-INTEREST-RATE   TO WS-EDIT-RATE
           MOVE WS-EDIT-RATE         TO RATEO
           MOVE ACCT-OPENED-DATE     TO OPENEDO
           MOVE ACCT-LAST-TRANSFER-AT TO LASTTXO
           IF ACCT-BALANCE < ZERO
               MOVE DFHRED TO BALC
           END-IF
           PERFORM SHOW-CUSTOMER-NAME.

       SHOW-CUSTOMER-NAME.
           MOVE ACCT-CUSTOMER-NO TO WS-CUSTOMER-KEY
           EXEC CICS READ FILE('CUSTOMER') INTO(CUSTOMER-RECORD)
                RIDFLD(WS-CUSTOMER-KEY) RESP(WS-RESP)
           END-EXEC
           IF WS-RESP = DFHRESP(NORMAL)
               MOVE SPACES TO CNAMEO
               STRING CUST-FIRST-NAME DELIMITED BY '  '
                      ' '             DELIMITED BY SIZE
                      CUST-LAST-NAME  DELIMITED BY SIZE
                 INTO CNAMEO
           ELSE
               MOVE 'CUSTOMER RECORD IS MISSING' TO CNAMEO
           END-IF.

       TAKE-FIELDS.
           SET INPUT-VALID TO TRUE
           IF ATYPEL  > 0 MOVE ATYPEI  TO ACCT-TYPE   END-IF
           IF STATUSL > 0 MOVE STATUSI TO ACCT-STATUS END-IF
           IF LIMITL  > 0
               MOVE LIMITI TO WS-NUMBER-TEXT
               PERFORM CHECK-NUMBER
               IF INPUT-VALID
                   COMPUTE ACCT-OVERDRAFT-LIMIT =
                       FUNCTION NUMVAL (WS-NUMBER-TEXT)
               ELSE
                   MOVE -1 TO LIMITL
               END-IF
           END-IF
           IF RATEL > 0 AND INPUT-VALID
               MOVE RATEI TO WS-NUMBER-TEXT
               PERFORM CHECK-NUMBER
               IF INPUT-VALID
                   COMPUTE ACCT-INTEREST-RATE ROUNDED =
                       FUNCTION NUMVAL (WS-NUMBER-TEXT)
                       ON SIZE ERROR
                           MOVE 'RATE IS TOO LARGE' TO WS-MESSAGE
                           SET INPUT-INVALID TO TRUE
                   END-COMPUTE
               ELSE
                   MOVE -1 TO RATEL
               END-IF
           END-IF
           IF NOT ACCT-TYPE-VALID
               MOVE 'TYPE MUST BE CHK, SAV OR LON' TO WS-MESSAGE
               MOVE -1 TO ATYPEL
               SET INPUT-INVALID TO TRUE
           END-IF
           IF NOT ACCT-STATUS-VALID
               MOVE 'STATUS MUST BE O, H OR C' TO WS-MESSAGE
               MOVE -1 TO STATUSL
               SET INPUT-INVALID TO TRUE
           END-IF.

       CHECK-NUMBER.
           INSPECT WS-NUMBER-TEXT REPLACING ALL LOW-VALUE BY SPACE
           IF WS-NUMBER-TEXT = SPACES
               MOVE '0' TO WS-NUMBER-TEXT
           END-IF
           CALL 'BNKNUM' USING WS-NUMBER-TEXT WS-VALID
           IF INPUT-INVALID
               MOVE 'THAT IS NOT A NUMBER' TO WS-MESSAGE
           END-IF.

       UPDATE-ACCOUNT.
           IF NOT CA-MAINTAIN OR NOT CA-SHOWN
               MOVE 'READ THE ACCOUNT IN UPDATE MODE FIRST'
                 TO WS-MESSAGE
           ELSE
               MOVE CA-BEFORE-IMAGE TO BEFORE-RECORD
               EXEC CICS READ FILE('ACCOUNT') INTO(ACCOUNT-RECORD)
                    RIDFLD(CA-ACCOUNT-NO) UPDATE
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               EVALUATE TRUE
                   WHEN WS-RESP = DFHRESP(NOTFND)
                       MOVE 'ACCOUNT WAS DELETED BY ANOTHER TELLER'
                         TO WS-MESSAGE
                   WHEN WS-RESP NOT = DFHRESP(NORMAL)
                       MOVE 'READ UPDATE' TO ER-FUNCTION
                       PERFORM FILE-ERROR
                   WHEN ACCOUNT-RECORD NOT = BEFORE-RECORD
                       EXEC CICS UNLOCK FILE('ACCOUNT') END-EXEC
                       MOVE 'CHANGED BY ANOTHER TELLER. READ IT AGAIN'
                         TO WS-MESSAGE
                   WHEN OTHER
                       PERFORM TAKE-FIELDS
                       PERFORM REWRITE-ACCOUNT
               END-EVALUATE
           END-IF.

       REWRITE-ACCOUNT.
           IF INPUT-INVALID
               EXEC CICS UNLOCK FILE('ACCOUNT') END-EXEC
           ELSE
               ADD 1 TO ACCT-VERSION
               EXEC CICS REWRITE FILE('ACCOUNT') FROM(ACCOUNT-RECORD)
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               IF WS-RESP = DFHRESP(NORMAL)
                   MOVE ACCOUNT-RECORD TO CA-BEFORE-IMAGE
                   MOVE 'ACCOUNT UPDATED' TO WS-MESSAGE
                   PERFORM SHOW-FIELDS
               ELSE
                   MOVE 'REWRITE' TO ER-FUNCTION
                   PERFORM FILE-ERROR
               END-IF
           END-IF.

       ADD-ACCOUNT.
           IF NOT CA-MAINTAIN OR WS-KEY = ZERO
               MOVE 'TYPE A NEW ACCOUNT NUMBER IN UPDATE MODE'
                 TO WS-MESSAGE
           ELSE
               INITIALIZE ACCOUNT-RECORD
               MOVE WS-KEY TO ACCT-ACCOUNT-NO
               SET ACCT-OPEN     TO TRUE
               SET ACCT-CHECKING TO TRUE
               PERFORM GET-DATE-AND-TIME
               MOVE WS-DATE TO ACCT-OPENED-DATE
               IF CUSTNOL > 0 AND CUSTNOI NUMERIC
                   MOVE CUSTNOI TO ACCT-CUSTOMER-NO
               END-IF
               PERFORM TAKE-FIELDS
               IF INPUT-VALID
                   PERFORM WRITE-ACCOUNT
               END-IF
           END-IF.

       WRITE-ACCOUNT.
           MOVE ACCT-CUSTOMER-NO TO WS-CUSTOMER-KEY
           MOVE +1 TO WS-CHANGE
           PERFORM COUNT-CUSTOMER-ACCOUNTS
           IF RECORD-FOUND
               EXEC CICS WRITE FILE('ACCOUNT') FROM(ACCOUNT-RECORD)
                    RIDFLD(WS-KEY) RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               EVALUATE WS-RESP
                   WHEN DFHRESP(NORMAL)
                       MOVE WS-KEY TO CA-ACCOUNT-NO
                       MOVE ACCOUNT-RECORD TO CA-BEFORE-IMAGE
                       SET CA-SHOWN TO TRUE
                       MOVE 'ACCOUNT ADDED' TO WS-MESSAGE
                       PERFORM SHOW-FIELDS
                   WHEN DFHRESP(DUPREC)
                       EXEC CICS SYNCPOINT ROLLBACK END-EXEC
                       MOVE 'ACCOUNT NUMBER IS IN USE' TO WS-MESSAGE
                       MOVE -1 TO ACCTNOL
                   WHEN OTHER
                       EXEC CICS SYNCPOINT ROLLBACK END-EXEC
                       MOVE 'WRITE' TO ER-FUNCTION
                       PERFORM FILE-ERROR
               END-EVALUATE
           END-IF.

       DELETE-ACCOUNT.
           MOVE CA-BEFORE-IMAGE TO BEFORE-RECORD
           EVALUATE TRUE
               WHEN NOT CA-MAINTAIN OR NOT CA-SHOWN
                   MOVE 'READ THE ACCOUNT IN UPDATE MODE FIRST'
                     TO WS-MESSAGE
               WHEN BEFORE-BALANCE NOT = ZERO
                   MOVE 'BALANCE IS NOT ZERO' TO WS-MESSAGE
               WHEN OTHER
                   EXEC CICS DELETE FILE('ACCOUNT')
                        RIDFLD(CA-ACCOUNT-NO)
                        RESP(WS-RESP) RESP2(WS-RESP2)
                   END-EXEC
                   IF WS-RESP = DFHRESP(NORMAL)
                       MOVE BEFORE-CUSTOMER-NO TO WS-CUSTOMER-KEY
                       MOVE -1 TO WS-CHANGE
                       PERFORM COUNT-CUSTOMER-ACCOUNTS
                       MOVE 'ACCOUNT DELETED' TO WS-MESSAGE
                       SET CA-WAITING TO TRUE
                   ELSE
                       MOVE 'DELETE' TO ER-FUNCTION
                       PERFORM FILE-ERROR
                   END-IF
           END-EVALUATE.

       COUNT-CUSTOMER-ACCOUNTS.
           SET RECORD-MISSING TO TRUE
           EXEC CICS READ FILE('CUSTOMER') INTO(CUSTOMER-RECORD)
                RIDFLD(WS-CUSTOMER-KEY) UPDATE
                RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP = DFHRESP(NORMAL)
               SET RECORD-FOUND TO TRUE
               ADD WS-CHANGE TO CUST-ACCOUNTS
               EXEC CICS REWRITE FILE('CUSTOMER')
                    FROM(CUSTOMER-RECORD)
               END-EXEC
           ELSE
               MOVE 'CUSTOMER NOT FOUND' TO WS-MESSAGE
               MOVE -1 TO CUSTNOL
           END-IF.

       FILE-ERROR.
           MOVE 'ACCOUNT' TO ER-RESOURCE
           PERFORM REPORT-ERROR.

       SEND-DATA-ONLY.
           PERFORM FILL-HEADING
           EXEC CICS SEND MAP('ACCTMAP') MAPSET('BNKAC') FROM(ACCTMAPO)
                DATAONLY CURSOR FREEKB
           END-EXEC.

       WAIT-FOR-INPUT.
           EXEC CICS RETURN TRANSID(WS-TRANSID)
                COMMAREA(BNK-COMMAREA)
           END-EXEC.

       COPY BNKEXIT.
       COPY BNKHEAD REPLACING ==:MAP:== BY ==ACCTMAPO==.
       COPY BNKTIME.
