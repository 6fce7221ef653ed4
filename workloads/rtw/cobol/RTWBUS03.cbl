       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWBUS03.
      ******************************************************************
      * BUSINESS LOGIC OF TRANSACTION RT03: STOCK CHECK.
      * 108 SELECTS, 16 CURSORS WITH 54 FETCHES, 2 UPDATES.
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
           PERFORM CHANGE-PRICE
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

       CHANGE-PRICE.
           EXEC SQL
               UPDATE RTW.PRICE
               SET PR_FROM = CURRENT DATE
               WHERE PR_IT_ID = :HV-ITEM
           END-EXEC
           ADD 1 TO RC-CHANGES
           MOVE 'CHANGE-PRICE' TO WS-PLACE
           PERFORM CHECK-SQL.

       COPY RTWREAD.
