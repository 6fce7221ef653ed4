      * Working storage of the business logic: keys and host variables.
       77  WS-ROUND                        PIC S9(9) COMP.
       77  WS-KIND                         PIC S9(9) COMP.
       77  WS-FETCH-MAX                    PIC S9(9) COMP.
       77  WS-FETCHED                      PIC S9(9) COMP.
       77  WS-PLACE                        PIC X(18).
           EXEC SQL INCLUDE SQLCA END-EXEC.
           EXEC SQL BEGIN DECLARE SECTION END-EXEC.
       01  HV-KEYS.
           05  HV-CUSTOMER                 PIC S9(9) COMP.
           05  HV-CUSTOMER-2               PIC S9(9) COMP.
           05  HV-ITEM                     PIC S9(9) COMP.
           05  HV-ITEM-LAST                PIC S9(9) COMP.
           05  HV-ORDER                    PIC S9(9) COMP.
           05  HV-ORDER-LAST               PIC S9(9) COMP.
           05  HV-NEW-ORDER                PIC S9(9) COMP.
           05  HV-SUPPLIER                 PIC S9(9) COMP.
           05  HV-WAREHOUSE                PIC S9(9) COMP.
           05  HV-DISTRICT                 PIC S9(9) COMP.
           05  HV-CARRIER                  PIC S9(9) COMP.
           05  HV-CLASS                    PIC S9(9) COMP.
       01  HV-CUSTOMER-ROW.
           05  HV-CU-NAME                  PIC X(30).
           05  HV-CU-CREDIT                PIC X(2).
           05  HV-CU-BALANCE               PIC S9(11)V99 COMP-3.
           05  HV-CU-LIMIT                 PIC S9(11)V99 COMP-3.
           05  HV-CU-SINCE                 PIC X(10).
       01  HV-STREET.
           49  HV-STREET-LENGTH            PIC S9(4) COMP.
           49  HV-STREET-TEXT              PIC X(30).
       01  HV-CITY.
           49  HV-CITY-LENGTH              PIC S9(4) COMP.
           49  HV-CITY-TEXT                PIC X(20).
       01  HV-TEXT.
           49  HV-TEXT-LENGTH              PIC S9(4) COMP.
           49  HV-TEXT-DATA                PIC X(40).
       01  HV-COLUMNS.
           05  HV-POSTCODE                 PIC X(8).
           05  HV-NAME-24                  PIC X(24).
           05  HV-NAME-20                  PIC X(20).
           05  HV-NAME-12                  PIC X(12).
           05  HV-DATE                     PIC X(10).
           05  HV-TIMESTAMP                PIC X(26).
           05  HV-STATE                    PIC X(1).
           05  HV-TRAN                     PIC X(4).
           05  HV-SMALL                    PIC S9(4) COMP.
           05  HV-SMALL-2                  PIC S9(4) COMP.
           05  HV-QUANTITY                 PIC S9(9) COMP.
           05  HV-ORDERED                  PIC S9(9) COMP.
           05  HV-NUMBER                   PIC S9(9) COMP.
           05  HV-AMOUNT                   PIC S9(9)V99 COMP-3.
           05  HV-PRICE                    PIC S9(7)V99 COMP-3.
           05  HV-PERCENT                  PIC S9(3)V99 COMP-3.
           05  HV-TAX                      PIC S9V9(4) COMP-3.
           05  HV-RATE                     PIC S9(4)V9(3) COMP-3.
           05  HV-NULL                     PIC S9(4) COMP.
           EXEC SQL END DECLARE SECTION END-EXEC.
           EXEC SQL DECLARE C-ORDERS CURSOR FOR
               SELECT OR_ID, OR_LINES, OR_STATE, OR_ENTERED
                 FROM RTW.ORDERS
                WHERE OR_ID BETWEEN :HV-ORDER AND :HV-ORDER-LAST
                ORDER BY OR_ID
                FOR FETCH ONLY
           END-EXEC.
           EXEC SQL DECLARE C-LINES CURSOR FOR
               SELECT OL_NUMBER, OL_IT_ID, OL_QUANTITY, OL_AMOUNT
                 FROM RTW.ORDER_LINE
                WHERE OL_OR_ID BETWEEN :HV-ORDER AND :HV-ORDER-LAST
                ORDER BY OL_OR_ID, OL_NUMBER
                FOR FETCH ONLY
           END-EXEC.
           EXEC SQL DECLARE C-PAYMENTS CURSOR FOR
               SELECT PA_ID, PA_AMOUNT, PA_DATE
                 FROM RTW.PAYMENT
                WHERE PA_ID BETWEEN :HV-ORDER AND :HV-ORDER-LAST
                ORDER BY PA_ID
                FOR FETCH ONLY
           END-EXEC.
           EXEC SQL DECLARE C-STOCK CURSOR FOR
               SELECT ST_PLACE, ST_QUANTITY, ST_ORDERED
                 FROM RTW.STOCK
                WHERE ST_IT_ID BETWEEN :HV-ITEM AND :HV-ITEM-LAST
                ORDER BY ST_IT_ID, ST_PLACE
                FOR FETCH ONLY
           END-EXEC.
