       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKCUST.
      ******************************************************************
      * TRANSACTIONS BCIN AND BCUP: CUSTOMER INQUIRY; CUSTOMER UPDATE
      * WITH CHECK OF THE BEFORE-IMAGE, ADD AND DELETE
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKCUST'.
       77  WS-TRANSID                      PIC X(04) VALUE 'BCIN'.
       77  WS-KEY                          PIC 9(08) VALUE ZERO.
       77  WS-SCREEN-KEY                   PIC X(08) VALUE SPACES.
       77  WS-EDIT-COUNT                   PIC ZZZ9.
       77  WS-FOUND                        PIC X(01) VALUE 'N'.
           88  RECORD-FOUND                VALUE 'Y'.
       77  WS-VALID                        PIC X(01) VALUE 'Y'.
           88  INPUT-VALID                 VALUE 'Y'.
           88  INPUT-INVALID               VALUE 'N'.
       COPY BNKWORK.
       COPY BNKCOMM.
       COPY BNKERRC.
       01  CUSTOMER-RECORD.
       COPY BNKCUSC REPLACING ==:PFX:== BY ==CUST==.
       01  BEFORE-RECORD.
       COPY BNKCUSC REPLACING ==:PFX:== BY ==BEFORE==.
       COPY BNKCU.
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
               MOVE 'BCUP' TO WS-TRANSID
           END-IF
           MOVE LOW-VALUES TO CUSTMAPO
           IF CA-NEW
               PERFORM FIRST-SCREEN
           ELSE
               EVALUATE EIBAID
                   WHEN DFHPF3
                       PERFORM RETURN-TO-MENU
                   WHEN DFHCLEAR
                       MOVE ZERO TO CA-CUSTOMER-NO
                       PERFORM FIRST-SCREEN
                   WHEN DFHENTER
                       PERFORM RECEIVE-SCREEN
                       PERFORM SHOW-CUSTOMER
                   WHEN DFHPF5
                       PERFORM RECEIVE-SCREEN
                       PERFORM UPDATE-CUSTOMER
                   WHEN DFHPF6
                       PERFORM RECEIVE-SCREEN
                       PERFORM ADD-CUSTOMER
                   WHEN DFHPF9
                       PERFORM RECEIVE-SCREEN
                       PERFORM DELETE-CUSTOMER
                   WHEN OTHER
                       MOVE 'THAT KEY HAS NO FUNCTION HERE'
                         TO WS-MESSAGE
               END-EVALUATE
               PERFORM SEND-DATA-ONLY
           END-IF
           PERFORM WAIT-FOR-INPUT.

       FIRST-SCREEN.
           SET CA-WAITING TO TRUE
           IF CA-CUSTOMER-NO NOT = ZERO
               MOVE CA-CUSTOMER-NO TO WS-KEY
               PERFORM READ-CUSTOMER
               MOVE WS-KEY TO CUSTNOO
               IF RECORD-FOUND
                   PERFORM SHOW-FIELDS
               END-IF
           END-IF
           PERFORM FILL-HEADING
           MOVE -1 TO CUSTNOL
           EXEC CICS SEND MAP('CUSTMAP') MAPSET('BNKCU') FROM(CUSTMAPO)
                ERASE CURSOR FREEKB
           END-EXEC
           PERFORM WAIT-FOR-INPUT.

       RECEIVE-SCREEN.
           EXEC CICS RECEIVE MAP('CUSTMAP') MAPSET('BNKCU')
                RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO CUSTMAPI
           END-IF
           MOVE CA-CUSTOMER-NO TO WS-KEY
           IF CUSTNOL > 0
               MOVE CUSTNOI TO WS-SCREEN-KEY
               IF WS-SCREEN-KEY IS NUMERIC
                   MOVE WS-SCREEN-KEY TO WS-KEY
               ELSE
                   MOVE ZERO TO WS-KEY
               END-IF
           END-IF.

       SHOW-CUSTOMER.
           PERFORM READ-CUSTOMER
           IF RECORD-FOUND
               PERFORM SHOW-FIELDS
           END-IF
           MOVE -1 TO CUSTNOL.

       READ-CUSTOMER.
           MOVE 'N' TO WS-FOUND
           IF WS-KEY = ZERO
               MOVE 'TYPE A CUSTOMER NUMBER' TO WS-MESSAGE
           ELSE
               EXEC CICS READ FILE('CUSTOMER') INTO(CUSTOMER-RECORD)
                    RIDFLD(WS-KEY) RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               EVALUATE WS-RESP
                   WHEN DFHRESP(NORMAL)
                       SET RECORD-FOUND TO TRUE
                       SET CA-SHOWN     TO TRUE
                       MOVE WS-KEY          TO CA-CUSTOMER-NO
                       MOVE CUSTOMER-RECORD TO CA-BEFORE-IMAGE
                   WHEN DFHRESP(NOTFND)
                       MOVE 'CUSTOMER NOT FOUND' TO WS-MESSAGE
                       SET CA-WAITING TO TRUE
                   WHEN OTHER
                       MOVE 'READ' TO ER-FUNCTION
                       PERFORM FILE-ERROR
               END-EVALUATE
           END-IF.

       SHOW-FIELDS.
           MOVE CUST-CUSTOMER-NO TO CUSTNOO
           MOVE CUST-FIRST-NAME  TO FNAMEO
           MOVE CUST-LAST-NAME   TO LNAMEO
           MOVE CUST-STREET      TO STREETO
           MOVE CUST-CITY        TO CITYO
           MOVE CUST-POSTAL-CODE TO POSTCDO
           MOVE CUST-PHONE       TO PHONEO
           MOVE CUST-BIRTH-DATE  TO BIRTHO
           MOVE CUST-STATUS      TO STATUSO
           MOVE CUST-SINCE-DATE  TO SINCEO
           MOVE CUST-ACCOUNTS    TO WS-EDIT-COUNT
           MOVE WS-EDIT-COUNT    TO NACCTO
           MOVE CUST-CHANGED-AT  TO CHGDTO
           MOVE CUST-CHANGED-BY  TO CHGBYO
           IF CUST-CLOSED
               MOVE DFHRED  TO STATUSC
               MOVE DFHREVRS TO STATUSH
           END-IF.

       UPDATE-CUSTOMER.
           IF NOT CA-MAINTAIN OR NOT CA-SHOWN
               MOVE 'READ THE CUSTOMER IN UPDATE MODE FIRST'
                 TO WS-MESSAGE
           ELSE
               MOVE CA-BEFORE-IMAGE TO BEFORE-RECORD
               EXEC CICS READ FILE('CUSTOMER') INTO(CUSTOMER-RECORD)
                    RIDFLD(CA-CUSTOMER-NO) UPDATE
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               EVALUATE TRUE
                   WHEN WS-RESP = DFHRESP(NOTFND)
                       MOVE 'CUSTOMER WAS DELETED BY ANOTHER TELLER'
                         TO WS-MESSAGE
                   WHEN WS-RESP NOT = DFHRESP(NORMAL)
                       MOVE 'READ UPDATE' TO ER-FUNCTION
                       PERFORM FILE-ERROR
                   WHEN CUSTOMER-RECORD NOT = BEFORE-RECORD
                       EXEC CICS UNLOCK FILE('CUSTOMER') END-EXEC
                       MOVE 'CHANGED BY ANOTHER TELLER. READ IT AGAIN'
                         TO WS-MESSAGE
                   WHEN OTHER
                       PERFORM TAKE-FIELDS
                       PERFORM REWRITE-CUSTOMER
               END-EVALUATE
           END-IF.

       REWRITE-CUSTOMER.
           IF INPUT-INVALID
               EXEC CICS UNLOCK FILE('CUSTOMER') END-EXEC
           ELSE
               EXEC CICS REWRITE FILE('CUSTOMER')
                    FROM(CUSTOMER-RECORD)
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               IF WS-RESP = DFHRESP(NORMAL)
                   MOVE CUSTOMER-RECORD TO CA-BEFORE-IMAGE
                   MOVE 'CUSTOMER UPDATED' TO WS-MESSAGE
                   PERFORM SHOW-FIELDS
               ELSE
                   MOVE 'REWRITE' TO ER-FUNCTION
                   PERFORM FILE-ERROR
               END-IF
           END-IF.

       TAKE-FIELDS.
           SET INPUT-VALID TO TRUE
           IF FNAMEL  > 0 MOVE FNAMEI  TO CUST-FIRST-NAME  END-IF
           IF LNAMEL  > 0 MOVE LNAMEI  TO CUST-LAST-NAME   END-IF
           IF STREETL > 0 MOVE STREETI TO CUST-STREET      END-IF
           IF CITYL   > 0 MOVE CITYI   TO CUST-CITY        END-IF
           IF POSTCDL > 0 MOVE POSTCDI TO CUST-POSTAL-CODE END-IF
           IF PHONEL  > 0 MOVE PHONEI  TO CUST-PHONE       END-IF
           IF BIRTHL  > 0 MOVE BIRTHI  TO CUST-BIRTH-DATE  END-IF
           IF STATUSL > 0 MOVE STATUSI TO CUST-STATUS      END-IF
           EVALUATE TRUE
               WHEN CUST-LAST-NAME = SPACES
                   MOVE 'LAST NAME IS MISSING' TO WS-MESSAGE
                   MOVE -1 TO LNAMEL
                   SET INPUT-INVALID TO TRUE
               WHEN NOT CUST-ACTIVE AND NOT CUST-CLOSED
                   MOVE 'STATUS MUST BE A OR C' TO WS-MESSAGE
                   MOVE -1 TO STATUSL
                   MOVE DFHRED TO STATUSC
                   SET INPUT-INVALID TO TRUE
           END-EVALUATE
           PERFORM GET-DATE-AND-TIME
           MOVE WS-TIMESTAMP TO CUST-CHANGED-AT
           MOVE CA-TELLER-ID TO CUST-CHANGED-BY.

       ADD-CUSTOMER.
           IF NOT CA-MAINTAIN OR WS-KEY = ZERO
               MOVE 'TYPE A NEW CUSTOMER NUMBER IN UPDATE MODE'
                 TO WS-MESSAGE
           ELSE
               INITIALIZE CUSTOMER-RECORD
               MOVE WS-KEY TO CUST-CUSTOMER-NO
               SET CUST-ACTIVE TO TRUE
               PERFORM TAKE-FIELDS
               MOVE WS-DATE TO CUST-SINCE-DATE
               IF INPUT-VALID
                   PERFORM WRITE-CUSTOMER
               END-IF
           END-IF.

       WRITE-CUSTOMER.
           EXEC CICS WRITE FILE('CUSTOMER') FROM(CUSTOMER-RECORD)
                RIDFLD(WS-KEY) RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           EVALUATE WS-RESP
               WHEN DFHRESP(NORMAL)
                   MOVE WS-KEY TO CA-CUSTOMER-NO
                   MOVE CUSTOMER-RECORD TO CA-BEFORE-IMAGE
                   SET CA-SHOWN TO TRUE
                   MOVE 'CUSTOMER ADDED' TO WS-MESSAGE
                   PERFORM SHOW-FIELDS
               WHEN DFHRESP(DUPREC)
                   MOVE 'CUSTOMER NUMBER IS IN USE' TO WS-MESSAGE
                   MOVE -1 TO CUSTNOL
               WHEN OTHER
                   MOVE 'WRITE' TO ER-FUNCTION
                   PERFORM FILE-ERROR
           END-EVALUATE.

       DELETE-CUSTOMER.
           MOVE CA-BEFORE-IMAGE TO BEFORE-RECORD
           EVALUATE TRUE
               WHEN NOT CA-MAINTAIN OR NOT CA-SHOWN
                   MOVE 'READ THE CUSTOMER IN UPDATE MODE FIRST'
                     TO WS-MESSAGE
               WHEN BEFORE-ACCOUNTS > 0
                   MOVE 'CUSTOMER STILL HAS ACCOUNTS' TO WS-MESSAGE
               WHEN OTHER
                   EXEC CICS DELETE FILE('CUSTOMER')
                        RIDFLD(CA-CUSTOMER-NO)
                        RESP(WS-RESP) RESP2(WS-RESP2)
                   END-EXEC
                   IF WS-RESP = DFHRESP(NORMAL)
                       MOVE 'CUSTOMER DELETED' TO WS-MESSAGE
                       SET CA-WAITING TO TRUE
                   ELSE
                       MOVE 'DELETE' TO ER-FUNCTION
                       PERFORM FILE-ERROR
                   END-IF
           END-EVALUATE.

       FILE-ERROR.
           MOVE 'CUSTOMER' TO ER-RESOURCE
           PERFORM REPORT-ERROR.

       SEND-DATA-ONLY.
           PERFORM FILL-HEADING
           EXEC CICS SEND MAP('CUSTMAP') MAPSET('BNKCU') FROM(CUSTMAPO)
                DATAONLY CURSOR FREEKB
           END-EXEC.

       WAIT-FOR-INPUT.
           EXEC CICS RETURN TRANSID(WS-TRANSID)
                COMMAREA(BNK-COMMAREA)
           END-EXEC.

       COPY BNKEXIT.
       COPY BNKHEAD REPLACING ==:MAP:== BY ==CUSTMAPO==.
       COPY BNKTIME.
