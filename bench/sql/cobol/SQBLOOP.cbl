       IDENTIFICATION DIVISION.
       PROGRAM-ID. SQBLOOP.
      ******************************************************************
      * ONE SQL STATEMENT IN A LOOP, BETWEEN TWO CALLS OF THE CLOCK
      * (KBMARK). THE SAME STATEMENTS ARE IN peer/, IN C AND FOR PGBENCH.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  HV-ROW.
           05  HV-ID                       PIC S9(9) COMP VALUE 0.
           05  HV-LAST                     PIC S9(9) COMP.
           05  HV-NAME                     PIC X(30).
           05  HV-BALANCE                  PIC S9(11)V99 COMP-3.
           05  HV-SINCE                    PIC X(10).
           EXEC SQL DECLARE C-ROWS CURSOR FOR
               SELECT CU_NAME, CU_BALANCE, CU_SINCE
                 FROM SQB.CUSTOMER
                WHERE CU_ID BETWEEN :HV-ID AND :HV-LAST
                ORDER BY CU_ID
                FOR FETCH ONLY
           END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  LK-CASE                     PIC X(08).
           05  LK-COUNT                    PIC S9(09) COMP.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS LINK PROGRAM('KBMARK') END-EXEC
           EVALUATE LK-CASE
               WHEN 'SELECT'
                   PERFORM DO-SELECT LK-COUNT TIMES
               WHEN 'FETCH'
                   PERFORM DO-FETCH LK-COUNT TIMES
               WHEN 'UPDATE'
                   PERFORM DO-UPDATE LK-COUNT TIMES
               WHEN 'UNIT'
                   PERFORM DO-UNIT LK-COUNT TIMES
           END-EVALUATE
           EXEC CICS LINK PROGRAM('KBMARK') END-EXEC
           EXEC CICS RETURN END-EXEC.

       NEXT-ID.
           ADD 37 TO HV-ID
           IF HV-ID > 9900
               SUBTRACT 9899 FROM HV-ID
           END-IF.

       DO-SELECT.
           PERFORM NEXT-ID
           EXEC SQL
               SELECT CU_NAME, CU_BALANCE, CU_SINCE
                 INTO :HV-NAME, :HV-BALANCE, :HV-SINCE
                 FROM SQB.CUSTOMER
                WHERE CU_ID = :HV-ID
           END-EXEC
           PERFORM CHECK-SQL.

       DO-FETCH.
           PERFORM NEXT-ID
           ADD 19 HV-ID GIVING HV-LAST
           EXEC SQL OPEN C-ROWS END-EXEC
           PERFORM CHECK-SQL
           PERFORM 20 TIMES
               EXEC SQL
                   FETCH C-ROWS INTO :HV-NAME, :HV-BALANCE, :HV-SINCE
               END-EXEC
               PERFORM CHECK-SQL
           END-PERFORM
           EXEC SQL CLOSE C-ROWS END-EXEC.

       DO-UPDATE.
           PERFORM NEXT-ID
           EXEC SQL
               UPDATE SQB.CUSTOMER
                  SET CU_BALANCE = CU_BALANCE + 1
                WHERE CU_ID = :HV-ID
           END-EXEC
           PERFORM CHECK-SQL
           EXEC CICS SYNCPOINT END-EXEC.

       DO-UNIT.
           PERFORM DO-SELECT 200 TIMES
           EXEC CICS SYNCPOINT END-EXEC.

       CHECK-SQL.
           IF SQLCODE NOT = 0
               EXEC CICS ABEND ABCODE('SQLB') END-EXEC
           END-IF.
