       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWLOAD.
      ******************************************************************
      * FILLS THE TABLES OF THE RELATIONAL WORKLOAD. THE PARAMETER IS
      * THE SCALE: 1 GIVES 30,000 ROWS, 1000 GIVES 30 MILLION. TABLES
      * THAT HAVE ROWS ARE EMPTIED FIRST.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-ROWS                         PIC S9(9) COMP VALUE 0.
       77  WS-SHOWN                        PIC Z(8)9.
       77  WS-TABLE                        PIC X(12).
           EXEC SQL INCLUDE SQLCA END-EXEC.
       77  HV-SCALE                        PIC S9(9) COMP VALUE 1.
       77  HV-COUNT                        PIC S9(9) COMP.
       LINKAGE SECTION.
       01  LS-PARAMETER.
           05  LS-LENGTH                   PIC S9(4) COMP.
           05  LS-TEXT                     PIC X(100).
       PROCEDURE DIVISION USING LS-PARAMETER.
       MAIN-LINE.
           EXEC SQL WHENEVER SQLERROR GO TO FAILED END-EXEC
           IF LS-LENGTH > 0
               COMPUTE HV-SCALE = FUNCTION NUMVAL(LS-TEXT(1:LS-LENGTH))
           END-IF
           PERFORM MAKE-NUMBERS
           PERFORM LOAD-WAREHOUSE
           PERFORM LOAD-DISTRICT
           PERFORM LOAD-CUSTOMER
           PERFORM LOAD-ADDRESS
           PERFORM LOAD-ITEM
           PERFORM LOAD-SUPPLIER
           PERFORM LOAD-STOCK
           PERFORM LOAD-PRICE
           PERFORM LOAD-ORDERS
           PERFORM LOAD-ORDER-LINE
           PERFORM LOAD-PAYMENT
           PERFORM LOAD-INVOICE
           PERFORM LOAD-SHIPMENT
           PERFORM LOAD-CARRIER
           PERFORM LOAD-DISCOUNT
           PERFORM LOAD-HISTORY
           PERFORM LOAD-SALES-REGION
           PERFORM LOAD-RETURNED
           PERFORM LOAD-CAMPAIGN
           PERFORM LOAD-CONTACT
           DISPLAY 'ROWS IN ALL  ' WS-ROWS
           GOBACK.

       FAILED.
           DISPLAY 'SQLCODE ' SQLCODE ' FOR TABLE ' WS-TABLE
           MOVE 12 TO RETURN-CODE
           GOBACK.

       TELL-ROWS.
           ADD SQLERRD(3) TO WS-ROWS
           MOVE SQLERRD(3) TO WS-SHOWN
           DISPLAY WS-TABLE ' ' WS-SHOWN ' ROWS'
           EXEC SQL COMMIT END-EXEC.

      * The numbers 0 to 1023, each pass doubling them.
       MAKE-NUMBERS.
           MOVE 'NUMBERS' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.NUMBERS END-EXEC
           EXEC SQL INSERT INTO RTW.NUMBERS (N) VALUES (0) END-EXEC
           MOVE 1 TO HV-COUNT
           PERFORM 10 TIMES
               EXEC SQL
                   INSERT INTO RTW.NUMBERS (N)
                   SELECT N + :HV-COUNT FROM RTW.NUMBERS
               END-EXEC
               ADD HV-COUNT TO HV-COUNT
           END-PERFORM
           EXEC SQL DELETE FROM RTW.NUMBERS WHERE N > 999 END-EXEC
           EXEC SQL COMMIT END-EXEC.

       LOAD-WAREHOUSE.
           MOVE 'WAREHOUSE' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.WAREHOUSE END-EXEC
           EXEC SQL
               INSERT INTO RTW.WAREHOUSE
               SELECT B.N + 1, 'HOUSE ' CONCAT SUBSTR(DIGITS(B.N), 8,
                 3),
               'CITY ' CONCAT SUBSTR(DIGITS(B.N), 8, 3), 0.0825
               FROM RTW.NUMBERS B
               WHERE B.N < 10
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-DISTRICT.
           MOVE 'DISTRICT' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.DISTRICT END-EXEC
           EXEC SQL
               INSERT INTO RTW.DISTRICT
               SELECT B.N + 1, MOD(B.N, 10) + 1,
               'DISTRICT ' CONCAT SUBSTR(DIGITS(B.N), 8, 3), 1
               FROM RTW.NUMBERS B
               WHERE B.N < 100
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-CUSTOMER.
           MOVE 'CUSTOMER' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.CUSTOMER END-EXEC
           EXEC SQL
               INSERT INTO RTW.CUSTOMER
               SELECT A.N * 1000 + B.N + 1, MOD(B.N, 100) + 1,
               'CUSTOMER ' CONCAT DIGITS(A.N * 1000 + B.N + 1), 'GC',
               100 * MOD(B.N, 37), 5000,
               DATE('2001-01-01') + B.N DAYS
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-ADDRESS.
           MOVE 'ADDRESS' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.ADDRESS END-EXEC
           EXEC SQL
               INSERT INTO RTW.ADDRESS
               SELECT A.N * 1000 + B.N + 1, 'STREET ' CONCAT
                 DIGITS(B.N),
               'CITY ' CONCAT DIGITS(A.N), SUBSTR(DIGITS(B.N), 3, 8)
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-ITEM.
           MOVE 'ITEM' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.ITEM END-EXEC
           EXEC SQL
               INSERT INTO RTW.ITEM
               SELECT A.N * 1000 + B.N + 1, 'ITEM ' CONCAT DIGITS(A.N *
                 1000 + B.N + 1),
               MOD(B.N, 100) + 1, MOD(B.N, 100) + 1
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-SUPPLIER.
           MOVE 'SUPPLIER' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.SUPPLIER END-EXEC
           EXEC SQL
               INSERT INTO RTW.SUPPLIER
               SELECT B.N + 1, 'SUPPLIER ' CONCAT DIGITS(B.N), 5
               FROM RTW.NUMBERS B
               WHERE B.N < 100
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-STOCK.
           MOVE 'STOCK' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.STOCK END-EXEC
           EXEC SQL
               INSERT INTO RTW.STOCK
               SELECT A.N * 1000 + B.N + 1, C.N + 1, 1000 + B.N, 0
               FROM RTW.NUMBERS A, RTW.NUMBERS B, RTW.NUMBERS C
               WHERE A.N < :HV-SCALE AND C.N < 2
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-PRICE.
           MOVE 'PRICE' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.PRICE END-EXEC
           EXEC SQL
               INSERT INTO RTW.PRICE
               SELECT A.N * 1000 + B.N + 1, 10.25 + B.N,
                 DATE('2020-02-29')
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-ORDERS.
           MOVE 'ORDERS' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.ORDERS END-EXEC
           EXEC SQL
               INSERT INTO RTW.ORDERS
               SELECT (A.N * 1000 + B.N) * 3 + C.N + 1, A.N * 1000 +
                 B.N + 1, 4,
               CASE MOD(B.N, 3) WHEN 0 THEN 'O' ELSE 'P' END,
               TIMESTAMP('2020-01-01-08.30.00.000000')
               + B.N HOURS
               FROM RTW.NUMBERS A, RTW.NUMBERS B, RTW.NUMBERS C
               WHERE A.N < :HV-SCALE AND C.N < 3
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-ORDER-LINE.
           MOVE 'ORDER_LINE' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.ORDER_LINE END-EXEC
           EXEC SQL
               INSERT INTO RTW.ORDER_LINE
               SELECT (A.N * 1000 + B.N) * 3 + C.N + 1, D.N + 1, A.N *
                 1000 + B.N + 1,
               MOD(B.N, 9) + 1, 21.50 + D.N
               FROM RTW.NUMBERS A, RTW.NUMBERS B, RTW.NUMBERS C,
               RTW.NUMBERS D
               WHERE A.N < :HV-SCALE AND C.N < 3 AND D.N < 4
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-PAYMENT.
           MOVE 'PAYMENT' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.PAYMENT END-EXEC
           EXEC SQL
               INSERT INTO RTW.PAYMENT
               (PA_ID, PA_CU_ID, PA_AMOUNT, PA_DATE)
               SELECT (A.N * 1000 + B.N) * 2 + C.N + 1, A.N * 1000 +
                 B.N + 1, 75.50 + C.N,
               DATE('2020-03-01') + C.N DAYS
               FROM RTW.NUMBERS A, RTW.NUMBERS B, RTW.NUMBERS C
               WHERE A.N < :HV-SCALE AND C.N < 2
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-INVOICE.
           MOVE 'INVOICE' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.INVOICE END-EXEC
           EXEC SQL
               INSERT INTO RTW.INVOICE
               SELECT (A.N * 1000 + B.N) * 3 + C.N + 1, 86.00 + B.N,
               DATE('2020-02-01') + B.N DAYS, 'N'
               FROM RTW.NUMBERS A, RTW.NUMBERS B, RTW.NUMBERS C
               WHERE A.N < :HV-SCALE AND C.N < 3
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-SHIPMENT.
           MOVE 'SHIPMENT' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.SHIPMENT END-EXEC
           EXEC SQL
               INSERT INTO RTW.SHIPMENT
               SELECT (A.N * 1000 + B.N) * 3 + C.N + 1, MOD(B.N, 20) +
                 1, 'N',
               CASE MOD(B.N, 2) WHEN 0 THEN DATE('2020-02-03') END
               FROM RTW.NUMBERS A, RTW.NUMBERS B, RTW.NUMBERS C
               WHERE A.N < :HV-SCALE AND C.N < 3
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-CARRIER.
           MOVE 'CARRIER' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.CARRIER END-EXEC
           EXEC SQL
               INSERT INTO RTW.CARRIER
               SELECT B.N + 1, 'CARRIER ' CONCAT DIGITS(B.N), 1.250
               FROM RTW.NUMBERS B
               WHERE B.N < 20
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-DISCOUNT.
           MOVE 'DISCOUNT' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.DISCOUNT END-EXEC
           EXEC SQL
               INSERT INTO RTW.DISCOUNT
               SELECT B.N + 1, B.N / 10
               FROM RTW.NUMBERS B
               WHERE B.N < 100
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-HISTORY.
           MOVE 'HISTORY' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.HISTORY END-EXEC
           EXEC SQL
               INSERT INTO RTW.HISTORY
               (HI_ID, HI_CU_ID, HI_TRAN, HI_TEXT)
               SELECT A.N * 1000 + B.N + 1, A.N * 1000 + B.N + 1,
                 'LOAD',
               'LOADED ' CONCAT DIGITS(A.N * 1000 + B.N + 1)
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-SALES-REGION.
           MOVE 'SALES_REGION' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.SALES_REGION END-EXEC
           EXEC SQL
               INSERT INTO RTW.SALES_REGION
               SELECT B.N + 1, 'REGION ' CONCAT DIGITS(B.N)
               FROM RTW.NUMBERS B
               WHERE B.N < 50
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-RETURNED.
           MOVE 'RETURNED' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.RETURNED END-EXEC
           EXEC SQL
               INSERT INTO RTW.RETURNED
               SELECT A.N * 1000 + B.N + 1, 'TOO LATE'
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE AND B.N < 500
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-CAMPAIGN.
           MOVE 'CAMPAIGN' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.CAMPAIGN END-EXEC
           EXEC SQL
               INSERT INTO RTW.CAMPAIGN
               SELECT B.N + 1, 'CAMPAIGN ' CONCAT DIGITS(B.N), 2.50
               FROM RTW.NUMBERS B
               WHERE B.N < 100
           END-EXEC
           PERFORM TELL-ROWS.

       LOAD-CONTACT.
           MOVE 'CONTACT' TO WS-TABLE
           EXEC SQL DELETE FROM RTW.CONTACT END-EXEC
           EXEC SQL
               INSERT INTO RTW.CONTACT
               SELECT A.N * 1000 + B.N + 1, '+44 ' CONCAT DIGITS(A.N *
                 1000 + B.N + 1)
               FROM RTW.NUMBERS A, RTW.NUMBERS B
               WHERE A.N < :HV-SCALE AND B.N < 300
           END-EXEC
           PERFORM TELL-ROWS.
