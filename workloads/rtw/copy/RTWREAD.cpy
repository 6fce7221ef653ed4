      * Statements of the business logic, each a paragraph that counts its
      * call. A transaction is sixteen rounds of six SELECTs and one
      * cursor, twelve SELECTs more, and its changes.
       START-WORK.
           MOVE RC-CUSTOMER TO HV-CUSTOMER
           ADD 1 RC-CUSTOMER GIVING HV-CUSTOMER-2
           MOVE RC-ITEM TO HV-ITEM
           MOVE RC-ORDER TO HV-ORDER
           MOVE 1 TO HV-CARRIER HV-CLASS HV-WAREHOUSE HV-DISTRICT
           COMPUTE HV-CARRIER = FUNCTION MOD(RC-ORDER 20) + 1
           COMPUTE HV-CLASS = FUNCTION MOD(RC-ITEM 100) + 1
           COMPUTE HV-WAREHOUSE = FUNCTION MOD(RC-CUSTOMER 10) + 1
           COMPUTE HV-DISTRICT = FUNCTION MOD(RC-CUSTOMER 100) + 1.

       READ-WORK.
           PERFORM VARYING WS-ROUND FROM 1 BY 1 UNTIL WS-ROUND > 16
               PERFORM SELECT-CUSTOMER
               PERFORM SELECT-ADDRESS
               PERFORM SELECT-ITEM
               PERFORM SELECT-SUPPLIER
               PERFORM SELECT-STOCK
               PERFORM SELECT-PRICE
               COMPUTE WS-FETCH-MAX = 3
               IF WS-ROUND < 7
                   MOVE 4 TO WS-FETCH-MAX
               END-IF
               COMPUTE WS-KIND = FUNCTION MOD(WS-ROUND 4)
               EVALUATE WS-KIND
                   WHEN 0 PERFORM READ-ORDERS
                   WHEN 1 PERFORM READ-LINES
                   WHEN 2 PERFORM READ-PAYMENTS
                   WHEN 3 PERFORM READ-STOCK
               END-EVALUATE
               ADD 1 TO HV-CUSTOMER HV-ITEM HV-ORDER
           END-PERFORM
           PERFORM SELECT-ORDER
           PERFORM SELECT-LINE
           PERFORM SELECT-PAYMENT
           PERFORM SELECT-CARRIER
           PERFORM SELECT-DISTRICT
           PERFORM SELECT-HISTORY
           PERFORM SELECT-VALUE
           PERFORM SELECT-OPEN-ORDERS
           IF RC-TABLES = 20
               PERFORM SELECT-REGION
               PERFORM SELECT-RETURNED
               PERFORM SELECT-CAMPAIGN
               PERFORM SELECT-CONTACT
           ELSE
               PERFORM SELECT-INVOICE
               PERFORM SELECT-SHIPMENT
               PERFORM SELECT-DISCOUNT
               PERFORM SELECT-WAREHOUSE
           END-IF
           MOVE HV-CU-NAME TO RC-NAME
           MOVE HV-CU-BALANCE TO RC-TOTAL
           MOVE RC-CUSTOMER TO HV-CUSTOMER
           MOVE RC-ITEM TO HV-ITEM
           MOVE RC-ORDER TO HV-ORDER.

       CHECK-SQL.
           ADD 1 TO RC-CALLS
           IF SQLCODE < 0 AND RC-SQLCODE = 0
               MOVE SQLCODE TO RC-SQLCODE
               MOVE WS-PLACE TO RC-FAILED-AT
           END-IF.

       END-WORK.
           IF RC-SQLCODE < 0
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           END-IF
           EXEC CICS RETURN END-EXEC.

       SELECT-CUSTOMER.
           EXEC SQL
               SELECT CU_NAME, CU_CREDIT, CU_BALANCE, CU_LIMIT,
               CU_SINCE
               INTO :HV-CUSTOMER-ROW
               FROM RTW.CUSTOMER
               WHERE CU_ID = :HV-CUSTOMER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-CUSTOMER' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-ADDRESS.
           EXEC SQL
               SELECT AD_STREET, AD_CITY, AD_POSTCODE
               INTO :HV-STREET, :HV-CITY, :HV-POSTCODE
               FROM RTW.ADDRESS
               WHERE AD_CU_ID = :HV-CUSTOMER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-ADDRESS' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-ITEM.
           EXEC SQL
               SELECT IT_NAME, IT_SU_ID, IT_CLASS
               INTO :HV-NAME-24, :HV-SUPPLIER, :HV-SMALL
               FROM RTW.ITEM
               WHERE IT_ID = :HV-ITEM
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-ITEM' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-SUPPLIER.
           EXEC SQL
               SELECT SU_NAME, SU_DAYS
               INTO :HV-NAME-24, :HV-SMALL-2
               FROM RTW.SUPPLIER
               WHERE SU_ID = :HV-SUPPLIER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-SUPPLIER' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-STOCK.
           EXEC SQL
               SELECT ST_QUANTITY, ST_ORDERED
               INTO :HV-QUANTITY, :HV-ORDERED
               FROM RTW.STOCK
               WHERE ST_IT_ID = :HV-ITEM AND ST_PLACE = 1
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-STOCK' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-PRICE.
           EXEC SQL
               SELECT PR_AMOUNT, PR_FROM
               INTO :HV-PRICE, :HV-DATE
               FROM RTW.PRICE
               WHERE PR_IT_ID = :HV-ITEM
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-PRICE' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-ORDER.
           EXEC SQL
               SELECT OR_LINES, OR_STATE, OR_ENTERED
               INTO :HV-SMALL, :HV-STATE, :HV-TIMESTAMP
               FROM RTW.ORDERS
               WHERE OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-ORDER' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-LINE.
           EXEC SQL
               SELECT OL_QUANTITY, OL_AMOUNT
               INTO :HV-SMALL, :HV-AMOUNT
               FROM RTW.ORDER_LINE
               WHERE OL_OR_ID = :HV-ORDER AND OL_NUMBER = 1
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-LINE' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-INVOICE.
           EXEC SQL
               SELECT IN_AMOUNT, IN_DUE, IN_PAID
               INTO :HV-CU-BALANCE, :HV-DATE, :HV-STATE
               FROM RTW.INVOICE
               WHERE IN_OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-INVOICE' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-SHIPMENT.
           EXEC SQL
               SELECT SH_CA_ID, SH_STATE, SH_SENT
               INTO :HV-CARRIER, :HV-STATE, :HV-DATE:HV-NULL
               FROM RTW.SHIPMENT
               WHERE SH_OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-SHIPMENT' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-PAYMENT.
           EXEC SQL
               SELECT PA_AMOUNT, PA_DATE
               INTO :HV-AMOUNT, :HV-DATE
               FROM RTW.PAYMENT
               WHERE PA_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-PAYMENT' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-CARRIER.
           EXEC SQL
               SELECT CA_NAME, CA_RATE
               INTO :HV-NAME-20, :HV-RATE
               FROM RTW.CARRIER
               WHERE CA_ID = :HV-CARRIER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-CARRIER' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-DISCOUNT.
           EXEC SQL
               SELECT DC_PERCENT
               INTO :HV-PERCENT
               FROM RTW.DISCOUNT
               WHERE DC_CLASS = :HV-CLASS
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-DISCOUNT' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-WAREHOUSE.
           EXEC SQL
               SELECT WH_NAME, WH_CITY, WH_TAX
               INTO :HV-NAME-12, :HV-CITY, :HV-TAX
               FROM RTW.WAREHOUSE
               WHERE WH_ID = :HV-WAREHOUSE
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-WAREHOUSE' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-DISTRICT.
           EXEC SQL
               SELECT DI_NAME, DI_NEXT
               INTO :HV-NAME-12, :HV-NUMBER
               FROM RTW.DISTRICT
               WHERE DI_ID = :HV-DISTRICT
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-DISTRICT' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-HISTORY.
           EXEC SQL
               SELECT HI_TRAN, HI_TEXT
               INTO :HV-TRAN, :HV-TEXT
               FROM RTW.HISTORY
               WHERE HI_ID = :HV-CUSTOMER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-HISTORY' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-VALUE.
           EXEC SQL
               SELECT ST_QUANTITY * PR_AMOUNT
               INTO :HV-CU-LIMIT
               FROM RTW.STOCK, RTW.PRICE
               WHERE ST_IT_ID = :HV-ITEM AND ST_PLACE = 2
               AND PR_IT_ID = ST_IT_ID
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-VALUE' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-OPEN-ORDERS.
           EXEC SQL
               SELECT COUNT(*)
               INTO :HV-NUMBER
               FROM RTW.ORDERS
               WHERE OR_CU_ID = :HV-CUSTOMER AND OR_STATE = 'O'
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-OPEN-ORDERS' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-REGION.
           EXEC SQL
               SELECT RE_NAME
               INTO :HV-NAME-20
               FROM RTW.SALES_REGION
               WHERE RE_ID = :HV-CARRIER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-REGION' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-RETURNED.
           EXEC SQL
               SELECT RT_REASON
               INTO :HV-NAME-20
               FROM RTW.RETURNED
               WHERE RT_OR_ID = :HV-ORDER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-RETURNED' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-CAMPAIGN.
           EXEC SQL
               SELECT CP_NAME, CP_PERCENT
               INTO :HV-NAME-20, :HV-PERCENT
               FROM RTW.CAMPAIGN
               WHERE CP_ID = :HV-CLASS
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-CAMPAIGN' TO WS-PLACE
           PERFORM CHECK-SQL.

       SELECT-CONTACT.
           EXEC SQL
               SELECT CO_PHONE
               INTO :HV-TEXT
               FROM RTW.CONTACT
               WHERE CO_CU_ID = :HV-CUSTOMER
           END-EXEC
           ADD 1 TO RC-SELECTS
           MOVE 'SELECT-CONTACT' TO WS-PLACE
           PERFORM CHECK-SQL.

       READ-ORDERS.
           ADD 9 HV-ORDER GIVING HV-ORDER-LAST
           EXEC SQL OPEN C-ORDERS END-EXEC
           ADD 1 TO RC-OPENS
           MOVE 'READ-ORDERS' TO WS-PLACE
           PERFORM CHECK-SQL
           PERFORM VARYING WS-FETCHED FROM 1 BY 1
                   UNTIL WS-FETCHED > WS-FETCH-MAX
               EXEC SQL
                   FETCH C-ORDERS
                   INTO :HV-NUMBER, :HV-SMALL, :HV-STATE,
                        :HV-TIMESTAMP
               END-EXEC
               ADD 1 TO RC-FETCHES
               PERFORM CHECK-SQL
           END-PERFORM
           EXEC SQL CLOSE C-ORDERS END-EXEC
           PERFORM CHECK-SQL.

       READ-LINES.
           ADD 1 HV-ORDER GIVING HV-ORDER-LAST
           EXEC SQL OPEN C-LINES END-EXEC
           ADD 1 TO RC-OPENS
           MOVE 'READ-LINES' TO WS-PLACE
           PERFORM CHECK-SQL
           PERFORM VARYING WS-FETCHED FROM 1 BY 1
                   UNTIL WS-FETCHED > WS-FETCH-MAX
               EXEC SQL
                   FETCH C-LINES
                   INTO :HV-SMALL, :HV-NUMBER, :HV-SMALL-2,
                        :HV-AMOUNT
               END-EXEC
               ADD 1 TO RC-FETCHES
               PERFORM CHECK-SQL
           END-PERFORM
           EXEC SQL CLOSE C-LINES END-EXEC
           PERFORM CHECK-SQL.

       READ-PAYMENTS.
           ADD 9 HV-ORDER GIVING HV-ORDER-LAST
           EXEC SQL OPEN C-PAYMENTS END-EXEC
           ADD 1 TO RC-OPENS
           MOVE 'READ-PAYMENTS' TO WS-PLACE
           PERFORM CHECK-SQL
           PERFORM VARYING WS-FETCHED FROM 1 BY 1
                   UNTIL WS-FETCHED > WS-FETCH-MAX
               EXEC SQL
                   FETCH C-PAYMENTS
                   INTO :HV-NUMBER, :HV-AMOUNT, :HV-DATE
               END-EXEC
               ADD 1 TO RC-FETCHES
               PERFORM CHECK-SQL
           END-PERFORM
           EXEC SQL CLOSE C-PAYMENTS END-EXEC
           PERFORM CHECK-SQL.

       READ-STOCK.
           ADD 4 HV-ITEM GIVING HV-ITEM-LAST
           EXEC SQL OPEN C-STOCK END-EXEC
           ADD 1 TO RC-OPENS
           MOVE 'READ-STOCK' TO WS-PLACE
           PERFORM CHECK-SQL
           PERFORM VARYING WS-FETCHED FROM 1 BY 1
                   UNTIL WS-FETCHED > WS-FETCH-MAX
               EXEC SQL
                   FETCH C-STOCK
                   INTO :HV-SMALL, :HV-QUANTITY, :HV-ORDERED
               END-EXEC
               ADD 1 TO RC-FETCHES
               PERFORM CHECK-SQL
           END-PERFORM
           EXEC SQL CLOSE C-STOCK END-EXEC
           PERFORM CHECK-SQL.
