       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWBUS07.
      ******************************************************************
      * BUSINESS LOGIC OF TRANSACTION RT07: END OF DAY.
      * 108 SELECTS, 16 CURSORS WITH 54 FETCHES, 2 INSERTS, 10 DELETES.
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
           MOVE 'RT07' TO HV-TRAN
           MOVE 16 TO HV-TEXT-LENGTH
           MOVE 'END OF DAY' TO HV-TEXT-DATA
           PERFORM ADD-HISTORY
           PERFORM ADD-HISTORY
           PERFORM DROP-HISTORY
           PERFORM DROP-PAYMENT
           ADD 1 TO HV-CUSTOMER-2
           PERFORM DROP-HISTORY
           PERFORM DROP-PAYMENT
           ADD 1 TO HV-CUSTOMER-2
           PERFORM DROP-HISTORY
           PERFORM DROP-PAYMENT
           ADD 1000000000 RC-ORDER GIVING HV-NEW-ORDER
           PERFORM DROP-INVOICE
           PERFORM DROP-SHIPMENT
           PERFORM DROP-LINES
           PERFORM DROP-ORDER
           PERFORM END-WORK.

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

       DROP-INVOICE.
           EXEC SQL
               DELETE FROM RTW.INVOICE
               WHERE IN_OR_ID = :HV-NEW-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'DROP-INVOICE' TO WS-PLACE
           PERFORM CHECK-SQL.

       DROP-SHIPMENT.
           EXEC SQL
               DELETE FROM RTW.SHIPMENT
               WHERE SH_OR_ID = :HV-NEW-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'DROP-SHIPMENT' TO WS-PLACE
           PERFORM CHECK-SQL.

       DROP-LINES.
           EXEC SQL
               DELETE FROM RTW.ORDER_LINE
               WHERE OL_OR_ID = :HV-NEW-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'DROP-LINES' TO WS-PLACE
           PERFORM CHECK-SQL.

       DROP-ORDER.
           EXEC SQL
               DELETE FROM RTW.ORDERS
               WHERE OR_ID = :HV-NEW-ORDER
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'DROP-ORDER' TO WS-PLACE
           PERFORM CHECK-SQL.

       COPY RTWREAD.
