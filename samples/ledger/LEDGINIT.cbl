      * LEDI: enables the exit of the ledger, and resynchronizes the units
      * of work that the ledger is in doubt about. A program in the second
      * part of PLTPI may do the same.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LEDGINIT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  EXCHANGE.
           COPY DFHRMXCH.
       01  DOUBTFUL.
           05  DOUBTFUL-COUNT      PIC 9(4).
           05  DOUBTFUL-UNIT       PIC X(8) OCCURS 100 TIMES.
       01  ID-LIST.
           05  ID-ADDRESS          POINTER OCCURS 100 TIMES.
       01  ID-LENGTH               PIC S9(8) COMP.
       01  REQUEST                 PIC X(4) VALUE 'LIST'.
       01  RESPONSE                PIC S9(8) COMP.
       01  N                       PIC S9(4) COMP.
       01  ANSWER.
           05  FILLER              PIC X(9) VALUE 'IN DOUBT '.
           05  ANSWER-COUNT        PIC 9(4) VALUE 0.
       PROCEDURE DIVISION.
           EXEC CICS ENABLE PROGRAM('LEDGER') TALENGTH(160) OPENAPI
                INDOUBTWAIT SPI FORMATEDF START RESP(RESPONSE) END-EXEC.
           MOVE 'ledger' TO RMXCH-NAME.
           MOVE LENGTH OF REQUEST TO RMXCH-REQUEST-LENGTH.
           MOVE LENGTH OF DOUBTFUL TO RMXCH-REPLY-LENGTH.
           CALL 'DFHRMXCH' USING EXCHANGE REQUEST DOUBTFUL.
           IF RETURN-CODE = 0
              MOVE DOUBTFUL-COUNT TO ANSWER-COUNT
              PERFORM VARYING N FROM 1 BY 1 UNTIL N > DOUBTFUL-COUNT
                 SET ID-ADDRESS(N) TO ADDRESS OF DOUBTFUL-UNIT(N)
              END-PERFORM
              COMPUTE ID-LENGTH = 4 * DOUBTFUL-COUNT
              EXEC CICS RESYNC ENTRYNAME('LEDGER') IDLIST(ID-LIST)
                   IDLISTLENGTH(ID-LENGTH) END-EXEC.
           EXEC CICS SEND FROM(ANSWER) ERASE END-EXEC.
           EXEC CICS RETURN END-EXEC.
