       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWBUS06.
      ******************************************************************
      * BUSINESS LOGIC OF TRANSACTION RT06: SHIPMENT.
      * 108 SELECTS, 16 CURSORS WITH 54 FETCHES, 1 INSERT, 3 UPDATES,
      * 4 DELETES.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY RTWDATA.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY RTWCOMM.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM START-WORK
           PERFORM READ-WORK
           PERFORM CHANGE-STOCK
           PERFORM CHANGE-ORDER
           PERFORM CHANGE-SHIPMENT
           MOVE 'RT06' TO HV-TRAN
           MOVE 16 TO HV-TEXT-LENGTH
           MOVE 'SHIPMENT' TO HV-TEXT-DATA
           PERFORM ADD-HISTORY
           PERFORM DROP-HISTORY
           PERFORM DROP-PAYMENT
           ADD 1 TO HV-CUSTOMER-2
           PERFORM DROP-HISTORY
           PERFORM DROP-PAYMENT
           PERFORM END-WORK.

       CHANGE-STOCK.
           EXEC SQL
               UPDATE RTW.STOCK
               SET ST_ORDERED = ST_ORDERED + 1
               WHERE ST_IT_ID = :HV-ITEM AND ST_PLACE = 1
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-STOCK' TO WS-PLACE
           PERFORM CHECK-SQL.

       CHANGE-ORDER.
           EXEC SQL
               UPDATE RTW.ORDERS
               SET OR_STATE = 'P'
               WHERE OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-ORDER' TO WS-PLACE
           PERFORM CHECK-SQL.

       CHANGE-SHIPMENT.
           EXEC SQL
               UPDATE RTW.SHIPMENT
               SET SH_STATE = 'S', SH_SENT = CURRENT DATE
               WHERE SH_OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-SHIPMENT' TO WS-PLACE
           PERFORM CHECK-SQL.

       ADD-HISTORY.
           EXEC SQL
               INSERT INTO RTW.HISTORY
               (HI_CU_ID, HI_TRAN, HI_TEXT)
               VALUES (:HV-CUSTOMER, :HV-TRAN, :HV-TEXT)
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'ADD-HISTORY' TO WS-PLACE
           PERFORM CHECK-SQL.

       DROP-HISTORY.
           EXEC SQL
               DELETE FROM RTW.HISTORY
               WHERE HI_CU_ID = :HV-CUSTOMER-2 AND HI_ID >= 100000000
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'DROP-HISTORY' TO WS-PLACE
           PERFORM CHECK-SQL.

       DROP-PAYMENT.
           EXEC SQL
               DELETE FROM RTW.PAYMENT
               WHERE PA_CU_ID = :HV-CUSTOMER-2 AND PA_ID >= 100000000
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'DROP-PAYMENT' TO WS-PLACE
           PERFORM CHECK-SQL.

       COPY RTWREAD.
