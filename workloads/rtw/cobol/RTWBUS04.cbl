       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWBUS04.
      ******************************************************************
      * BUSINESS LOGIC OF TRANSACTION RT04: NEW ORDER.
      * 108 SELECTS, 16 CURSORS WITH 54 FETCHES, 8 INSERTS, 3 UPDATES.
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
           PERFORM CHANGE-STOCK
           PERFORM CHANGE-DISTRICT
           PERFORM ADD-ORDER
           PERFORM VARYING HV-SMALL FROM 1 BY 1 UNTIL HV-SMALL > 4
               PERFORM ADD-LINE
           END-PERFORM
           PERFORM ADD-INVOICE
           PERFORM ADD-SHIPMENT
           MOVE 'RT04' TO HV-TRAN
           MOVE 16 TO HV-TEXT-LENGTH
           MOVE 'NEW ORDER' TO HV-TEXT-DATA
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

       CHANGE-STOCK.
           EXEC SQL
               UPDATE RTW.STOCK
               SET ST_ORDERED = ST_ORDERED + 1
               WHERE ST_IT_ID = :HV-ITEM AND ST_PLACE = 1
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-STOCK' TO WS-PLACE
           PERFORM CHECK-SQL.

       CHANGE-DISTRICT.
           EXEC SQL
               UPDATE RTW.DISTRICT
               SET DI_NEXT = DI_NEXT + 1
               WHERE DI_ID = :HV-DISTRICT
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-DISTRICT' TO WS-PLACE
           PERFORM CHECK-SQL.

       ADD-ORDER.
           EXEC SQL
               INSERT INTO RTW.ORDERS
               (OR_ID, OR_CU_ID, OR_LINES, OR_STATE)
               VALUES (NEXT VALUE FOR RTW.ORDER_NUMBER, :HV-CUSTOMER,
               4, 'O')
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'ADD-ORDER' TO WS-PLACE
           PERFORM CHECK-SQL.

       ADD-LINE.
           EXEC SQL
               INSERT INTO RTW.ORDER_LINE
               VALUES (PREVIOUS VALUE FOR RTW.ORDER_NUMBER, :HV-SMALL,
               :HV-ITEM, 2, :HV-AMOUNT)
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'ADD-LINE' TO WS-PLACE
           PERFORM CHECK-SQL.

       ADD-INVOICE.
           EXEC SQL
               INSERT INTO RTW.INVOICE
               VALUES (PREVIOUS VALUE FOR RTW.ORDER_NUMBER,
               :HV-AMOUNT, CURRENT DATE + 1 MONTH, 'N')
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'ADD-INVOICE' TO WS-PLACE
           PERFORM CHECK-SQL.

       ADD-SHIPMENT.
           EXEC SQL
               INSERT INTO RTW.SHIPMENT
               VALUES (PREVIOUS VALUE FOR RTW.ORDER_NUMBER,
               :HV-CARRIER, 'N', NULL)
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'ADD-SHIPMENT' TO WS-PLACE
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
