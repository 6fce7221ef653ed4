       IDENTIFICATION DIVISION.
       PROGRAM-ID. FCWTERM.
      ******************************************************************
      * FILE WORK: WHAT TO DO, AS TYPED BEHIND THE TRANSACTION
      *   FCWK LOAD 00500    WRITES 500 RECORDS INTO EACH FILE
      *   FCWK READ 00500    READS THEM
      *   FCWK UPDT 00500    READS THEM FOR UPDATE AND REWRITES THEM
      * FCWMAIN DOES IT, AND CHECKS THE HASH OF EVERY RECORD IT READS.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-CHANNEL                  PIC X(16) VALUE 'FILEWORK'.
       77  WS-CONTAINER                PIC X(16) VALUE 'REQUEST'.
       77  WS-LENGTH                   PIC S9(04) COMP.
       77  WS-RESP                     PIC S9(08) COMP.
       01  WS-INPUT.
           05  FILLER                  PIC X(05).
           05  WS-WHAT                 PIC X(04).
           05  FILLER                  PIC X(01).
           05  WS-COUNT                PIC X(05).
       01  WS-LINE                     PIC X(79).
       COPY FCWREQ.

       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE SPACES TO WS-INPUT
           MOVE LENGTH OF WS-INPUT TO WS-LENGTH
           EXEC CICS RECEIVE INTO(WS-INPUT) LENGTH(WS-LENGTH)
                RESP(WS-RESP)
           END-EXEC
           INITIALIZE FCW-REQUEST
           MOVE WS-WHAT TO FCW-WHAT
           IF WS-COUNT NUMERIC
               MOVE WS-COUNT TO FCW-COUNT
           END-IF
           IF FCW-COUNT = ZERO OR NOT (FCW-LOADS OR FCW-READS
                   OR FCW-UPDATES)
               MOVE 'FCWK LOAD NNNNN, READ NNNNN OR UPDT NNNNN'
                   TO WS-LINE
           ELSE
               PERFORM DO-WORK
           END-IF
           EXEC CICS SEND TEXT FROM(WS-LINE) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.

       DO-WORK.
           EXEC CICS PUT CONTAINER(WS-CONTAINER) CHANNEL(WS-CHANNEL)
                FROM(FCW-REQUEST)
           END-EXEC
           EXEC CICS LINK PROGRAM('FCWMAIN') CHANNEL(WS-CHANNEL)
           END-EXEC
           EXEC CICS GET CONTAINER(WS-CONTAINER) CHANNEL(WS-CHANNEL)
                INTO(FCW-REQUEST)
           END-EXEC
           MOVE SPACES TO WS-LINE
           EVALUATE TRUE
               WHEN FCW-RESP NOT = DFHRESP(NORMAL)
                   STRING 'FCWK ' FCW-WHAT ' STOPPED AT '
                       FCW-FIRST-FILE ' ' FCW-FIRST-KEY
                       DELIMITED BY SIZE INTO WS-LINE
               WHEN FCW-DAMAGED > ZERO
                   STRING 'FCWK ' FCW-WHAT ' ' FCW-RECORDS ' RECORDS, '
                       FCW-DAMAGED ' DAMAGED, FIRST '
                       FCW-FIRST-FILE ' ' FCW-FIRST-KEY
                       DELIMITED BY SIZE INTO WS-LINE
               WHEN OTHER
                   STRING 'FCWK ' FCW-WHAT ' ' FCW-RECORDS ' RECORDS, '
                       'ALL GOOD' DELIMITED BY SIZE INTO WS-LINE
           END-EVALUATE.
