       IDENTIFICATION DIVISION.
       PROGRAM-ID. SQBPEER.
      ******************************************************************
      * THE STATEMENTS OF SQBLOOP IN GNUCOBOL THROUGH GIXSQL. ENVIRONMENT:
      * PEER_SOURCE pgsql://HOST:PORT/DATABASE?autocommit=off, PEER_USER,
      * PEER_CASE, PEER_COUNT. PRINTS NANOSECONDS OF ONE ROUND.
      ******************************************************************
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  PEER-SOURCE                     PIC X(128).
       01  PEER-USER                       PIC X(64).
       01  PEER-PASSWORD                   PIC X(64).
       01  PEER-CASE                       PIC X(08).
       01  PEER-COUNT                      PIC 9(09).
       01  PEER-COUNT-TEXT                 PIC X(09).
       01  HV-ID                           PIC S9(9) VALUE 0.
       01  HV-LAST                         PIC S9(9).
       01  HV-NAME                         PIC X(30).
       01  HV-BALANCE                      PIC S9(11)V99 COMP-3.
       01  HV-SINCE                        PIC X(10).
       01  BEGAN                           PIC S9(18) COMP-5.
       01  ENDED                           PIC S9(18) COMP-5.
       01  CLOCK.
           05  CLOCK-SECONDS               PIC S9(18) COMP-5.
           05  CLOCK-NS                    PIC S9(18) COMP-5.
       01  NS-OF-A-ROUND                   PIC Z(17)9.
           EXEC SQL DECLARE CROWS CURSOR FOR
               SELECT CU_NAME, CU_BALANCE, CU_SINCE
                 FROM SQB.CUSTOMER
                WHERE CU_ID BETWEEN :HV-ID AND :HV-LAST
                ORDER BY CU_ID
           END-EXEC.
       PROCEDURE DIVISION.
       MAIN-LINE.
           ACCEPT PEER-SOURCE FROM ENVIRONMENT "PEER_SOURCE"
           ACCEPT PEER-USER FROM ENVIRONMENT "PEER_USER"
           ACCEPT PEER-CASE FROM ENVIRONMENT "PEER_CASE"
           ACCEPT PEER-COUNT-TEXT FROM ENVIRONMENT "PEER_COUNT"
           MOVE FUNCTION NUMVAL(PEER-COUNT-TEXT) TO PEER-COUNT
           EXEC SQL
               CONNECT TO :PEER-SOURCE USER :PEER-USER
                 USING :PEER-PASSWORD
           END-EXEC
           PERFORM CHECK-SQL
           CALL "clock_gettime" USING BY VALUE 1 BY REFERENCE CLOCK
           COMPUTE BEGAN = CLOCK-SECONDS * 1000000000 + CLOCK-NS
           EVALUATE PEER-CASE
               WHEN "SELECT"
                   PERFORM DO-SELECT PEER-COUNT TIMES
               WHEN "FETCH"
                   PERFORM DO-FETCH PEER-COUNT TIMES
               WHEN "UPDATE"
                   PERFORM DO-UPDATE PEER-COUNT TIMES
               WHEN "UNIT"
                   PERFORM DO-UNIT PEER-COUNT TIMES
           END-EVALUATE
           CALL "clock_gettime" USING BY VALUE 1 BY REFERENCE CLOCK
           COMPUTE ENDED = CLOCK-SECONDS * 1000000000 + CLOCK-NS
           COMPUTE NS-OF-A-ROUND = (ENDED - BEGAN) / PEER-COUNT
           DISPLAY NS-OF-A-ROUND
           EXEC SQL COMMIT END-EXEC
           EXEC SQL CONNECT RESET END-EXEC
           STOP RUN.

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
           EXEC SQL OPEN CROWS END-EXEC
           PERFORM CHECK-SQL
           PERFORM 20 TIMES
               EXEC SQL
                   FETCH CROWS INTO :HV-NAME, :HV-BALANCE, :HV-SINCE
               END-EXEC
               PERFORM CHECK-SQL
           END-PERFORM
           EXEC SQL CLOSE CROWS END-EXEC.

       DO-UPDATE.
           PERFORM NEXT-ID
           EXEC SQL
               UPDATE SQB.CUSTOMER
                  SET CU_BALANCE = CU_BALANCE + 1
                WHERE CU_ID = :HV-ID
           END-EXEC
           PERFORM CHECK-SQL
           EXEC SQL COMMIT END-EXEC.

       DO-UNIT.
           PERFORM DO-SELECT 200 TIMES
           EXEC SQL COMMIT END-EXEC.

       CHECK-SQL.
           IF SQLCODE NOT = 0
               DISPLAY "SQLCODE " SQLCODE " " SQLERRMC UPON SYSERR
               MOVE 16 TO RETURN-CODE
               STOP RUN
           END-IF.

      * THE PREPROCESSOR APPENDS A GO TO TO THE LAST PARAGRAPH.
       LAST-PARAGRAPH.
           STOP RUN.
