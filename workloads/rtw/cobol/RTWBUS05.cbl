       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWBUS05.
      ******************************************************************
      * BUSINESS LOGIC OF TRANSACTION RT05: PAYMENT.
      * 108 SELECTS, 16 CURSORS WITH 54 FETCHES, 3 INSERTS, 6 UPDATES.
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
           PERFORM CHANGE-CUSTOMER
           PERFORM CHANGE-ADDRESS
           PERFORM CHANGE-STOCK
           PERFORM CHANGE-ORDER
           PERFORM CHANGE-INVOICE
           PERFORM CHANGE-SHIPMENT
           PERFORM ADD-PAYMENT
           PERFORM ADD-PAYMENT
           MOVE 'RT05' TO HV-TRAN
           MOVE 16 TO HV-TEXT-LENGTH
           MOVE 'PAYMENT' TO HV-TEXT-DATA
           PERFORM ADD-HISTORY
           PERFORM END-WORK.

       CHANGE-CUSTOMER.
           EXEC SQL
               UPDATE RTW.CUSTOMER
               SET CU_BALANCE = CU_BALANCE + 1.25
               WHERE CU_ID = :HV-CUSTOMER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-CUSTOMER' TO WS-PLACE
           PERFORM CHECK-SQL.

       CHANGE-ADDRESS.
           EXEC SQL
               UPDATE RTW.ADDRESS
               SET AD_POSTCODE = :HV-POSTCODE
               WHERE AD_CU_ID = :HV-CUSTOMER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-ADDRESS' TO WS-PLACE
           PERFORM CHECK-SQL.

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

       CHANGE-INVOICE.
           EXEC SQL
               UPDATE RTW.INVOICE
               SET IN_PAID = 'Y', IN_DUE = CURRENT DATE + 30 DAYS
               WHERE IN_OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-INVOICE' TO WS-PLACE
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

       ADD-PAYMENT.
           EXEC SQL
               INSERT INTO RTW.PAYMENT
               (PA_CU_ID, PA_AMOUNT, PA_DATE)
               VALUES (:HV-CUSTOMER, :HV-AMOUNT, CURRENT DATE)
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'ADD-PAYMENT' TO WS-PLACE
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

       COPY RTWREAD.
