       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKLIST.
      ******************************************************************
      * TRANSACTION BLST: SHOW THE END-OF-DAY LISTING, 22 LINES A PAGE
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKLIST'.
       77  WS-QUEUE                        PIC X(08) VALUE 'BNKEOD'.
       77  WS-ITEM                         PIC S9(04) COMP VALUE ZERO.
       77  WS-ITEMS                        PIC S9(04) COMP VALUE ZERO.
       77  WS-LENGTH                       PIC S9(04) COMP VALUE ZERO.
       77  WS-LINE                         PIC S9(04) COMP VALUE ZERO.
       COPY BNKWORK.
       COPY BNKCOMM.
       COPY BNKERRC.
       01  WS-SCREEN.
           05  SCREEN-ROW OCCURS 23 TIMES.
               10  SCREEN-LINE             PIC X(79).
               10  SCREEN-NEW-LINE         PIC X(01).
       COPY DFHAID.

       LINKAGE SECTION.
       01  DFHCOMMAREA                     PIC X(450).

       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBCALEN = 0
               EXEC CICS XCTL PROGRAM('BNKSIGN') END-EXEC
           END-IF
           MOVE DFHCOMMAREA TO BNK-COMMAREA
           EVALUATE TRUE
               WHEN CA-NEW
                   MOVE 1 TO CA-FIRST-KEY
               WHEN EIBAID = DFHPF3
                   PERFORM RETURN-TO-MENU
               WHEN EIBAID = DFHPF8 OR EIBAID = DFHENTER
                   ADD 22 TO CA-FIRST-KEY
               WHEN EIBAID = DFHPF7 AND CA-FIRST-KEY > 22
                   SUBTRACT 22 FROM CA-FIRST-KEY
           END-EVALUATE
           PERFORM SHOW-PAGE
           SET CA-WAITING TO TRUE
           EXEC CICS RETURN TRANSID('BLST') COMMAREA(BNK-COMMAREA)
           END-EXEC.

       SHOW-PAGE.
           PERFORM VARYING WS-LINE FROM 1 BY 1 UNTIL WS-LINE > 23
               MOVE SPACES TO SCREEN-LINE (WS-LINE)
               MOVE X'15'  TO SCREEN-NEW-LINE (WS-LINE)
           END-PERFORM
           MOVE CA-FIRST-KEY TO WS-ITEM
           MOVE 'PF3=MENU  PF7=BACKWARD  PF8=FORWARD' TO SCREEN-LINE (1)
           PERFORM VARYING WS-LINE FROM 2 BY 1 UNTIL WS-LINE > 23
               MOVE LENGTH OF SCREEN-LINE (1) TO WS-LENGTH
               EXEC CICS READQ TS QUEUE(WS-QUEUE)
                    INTO(SCREEN-LINE (WS-LINE)) LENGTH(WS-LENGTH)
                    ITEM(WS-ITEM) NUMITEMS(WS-ITEMS) RESP(WS-RESP)
               END-EXEC
               EVALUATE WS-RESP
                   WHEN DFHRESP(NORMAL)
                       ADD 1 TO WS-ITEM
                   WHEN DFHRESP(ITEMERR)
                       MOVE '*** END OF LISTING ***'
                         TO SCREEN-LINE (WS-LINE)
                       MOVE 23 TO WS-LINE
                   WHEN OTHER
                       MOVE 'THERE IS NO LISTING YET' TO WS-MESSAGE
                       PERFORM RETURN-TO-MENU
               END-EVALUATE
           END-PERFORM
           EXEC CICS SEND TEXT FROM(WS-SCREEN) ERASE FREEKB END-EXEC.

       COPY BNKEXIT.
