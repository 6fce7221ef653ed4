       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKMENU.
      ******************************************************************
      * TRANSACTION BMNU: THE MAIN MENU
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKMENU'.
       77  WS-TARGET                       PIC X(08) VALUE SPACES.
       77  WS-OPTION                       PIC 9(01) VALUE ZERO.
       COPY BNKWORK.
       COPY BNKCOMM.
       COPY BNKERRC.
       COPY BNKMN.
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
           IF CA-NEW
               MOVE LOW-VALUES TO MENUO
               MOVE CA-MESSAGE TO WS-MESSAGE
               MOVE SPACES     TO CA-MESSAGE
               PERFORM SEND-WHOLE-SCREEN
           ELSE
               EVALUATE EIBAID
                   WHEN DFHENTER
                       PERFORM HANDLE-ENTER
                   WHEN DFHPF3
                       PERFORM SIGN-OFF
                   WHEN DFHCLEAR
                       MOVE LOW-VALUES TO MENUO
                       PERFORM SEND-WHOLE-SCREEN
                   WHEN OTHER
                       MOVE LOW-VALUES TO MENUO
                       MOVE 'THAT KEY HAS NO FUNCTION HERE'
                         TO WS-MESSAGE
                       PERFORM SEND-DATA-ONLY
               END-EVALUATE
           END-IF
           SET CA-WAITING TO TRUE
           EXEC CICS RETURN TRANSID('BMNU') COMMAREA(BNK-COMMAREA)
           END-EXEC.

       HANDLE-ENTER.
           EXEC CICS RECEIVE MAP('MENU') MAPSET('BNKMN') RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO MENUI
           END-IF
           IF OPTL = 0 OR OPTI NOT NUMERIC OR OPTI = '0'
               MOVE 'TYPE AN OPTION FROM 1 TO 9' TO WS-MESSAGE
               MOVE -1     TO OPTL
               MOVE DFHRED TO OPTC
           ELSE
               MOVE OPTI TO WS-OPTION
               PERFORM TAKE-NUMBERS
               PERFORM GO-TO-OPTION
           END-IF
           PERFORM SEND-DATA-ONLY.

       TAKE-NUMBERS.
           MOVE ZERO TO CA-CUSTOMER-NO CA-ACCOUNT-NO
           IF CUSTNOL > 0 AND CUSTNOI NUMERIC
               MOVE CUSTNOI TO CA-CUSTOMER-NO
           END-IF
           IF ACCTNOL > 0 AND ACCTNOI NUMERIC
               MOVE ACCTNOI TO CA-ACCOUNT-NO
           END-IF.

       GO-TO-OPTION.
           SET CA-NEW TO TRUE
           SET CA-INQUIRY TO TRUE
           EVALUATE WS-OPTION
               WHEN 1
                   MOVE 'BNKCUST' TO WS-TARGET
               WHEN 2
                   SET CA-MAINTAIN TO TRUE
                   MOVE 'BNKCUST' TO WS-TARGET
               WHEN 3
                   MOVE 'BNKACCT' TO WS-TARGET
               WHEN 4
                   SET CA-MAINTAIN TO TRUE
                   MOVE 'BNKACCT' TO WS-TARGET
               WHEN 5
                   MOVE 'BNKBRWS' TO WS-TARGET
               WHEN 6
                   SET CA-BY-CUSTOMER TO TRUE
                   MOVE 'BNKBRWS' TO WS-TARGET
               WHEN 7
                   MOVE 'BNKXFER' TO WS-TARGET
               WHEN 8
                   PERFORM START-END-OF-DAY
               WHEN 9
                   MOVE 'BNKLIST' TO WS-TARGET
           END-EVALUATE
           IF WS-OPTION NOT = 8
               EXEC CICS XCTL PROGRAM(WS-TARGET)
                    COMMAREA(BNK-COMMAREA) RESP(WS-RESP)
               END-EXEC
               STRING 'PROGRAM ' WS-TARGET DELIMITED BY SIZE
                      ' IS NOT AVAILABLE' DELIMITED BY SIZE
                 INTO WS-MESSAGE
           END-IF.

       START-END-OF-DAY.
           EXEC CICS START TRANSID('BEOD') INTERVAL(0)
                FROM(CA-TELLER-ID) LENGTH(LENGTH OF CA-TELLER-ID)
                RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP = DFHRESP(NORMAL)
               MOVE 'END-OF-DAY LISTING STARTED' TO WS-MESSAGE
           ELSE
               MOVE 'START'  TO ER-FUNCTION
               MOVE 'BEOD'   TO ER-RESOURCE
               PERFORM REPORT-ERROR
           END-IF.

       SIGN-OFF.
           EXEC CICS SEND TEXT FROM(WS-END-TEXT) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.

       SEND-WHOLE-SCREEN.
           PERFORM FILL-HEADING
           EXEC CICS SEND MAP('MENU') MAPSET('BNKMN') FROM(MENUO)
                ERASE FREEKB
           END-EXEC.

       SEND-DATA-ONLY.
           PERFORM FILL-HEADING
           EXEC CICS SEND MAP('MENU') MAPSET('BNKMN') FROM(MENUO)
                DATAONLY CURSOR FREEKB
           END-EXEC.

       COPY BNKEXIT.
       COPY BNKHEAD REPLACING ==:MAP:== BY ==MENUO==.
       COPY BNKTIME.
