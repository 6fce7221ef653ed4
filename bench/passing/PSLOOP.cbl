       IDENTIFICATION DIVISION.
       PROGRAM-ID. PSLOOP.
      ******************************************************************
      * PASSES DATA TO ANOTHER PROGRAM IN A LOOP, BETWEEN TWO CALLS OF
      * THE CLOCK (KBMARK): IN A COMMUNICATION AREA, IN A CONTAINER, OR
      * IN A TEMPORARY STORAGE QUEUE IN MAIN STORAGE.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-LENGTH                       PIC S9(04) COMP-5.
       77  WS-LEFT                         PIC S9(09) COMP.
       77  WS-AT                           PIC S9(09) COMP.
       77  WS-WORK                         PIC S9(09) COMP-3 VALUE ZERO.
       77  WS-I                            PIC S9(09) COMP.
       01  WS-AREA                         PIC X(1048576).

       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  LK-CASE                     PIC X(08).
           05  LK-COUNT                    PIC S9(09) COMP.
           05  LK-SIZE                     PIC S9(09) COMP.
           05  LK-WORK                     PIC S9(09) COMP.

       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'F' TO WS-AREA(1:1)
           MOVE 'L' TO WS-AREA(LK-SIZE:1)
           PERFORM MARK
           EVALUATE LK-CASE
               WHEN 'COMMAREA'
                   PERFORM PASS-COMMAREA LK-COUNT TIMES
               WHEN 'CHANNEL'
                   PERFORM PASS-CONTAINER LK-COUNT TIMES
               WHEN 'TSQUEUE'
                   PERFORM PASS-QUEUE LK-COUNT TIMES
           END-EVALUATE
           PERFORM MARK
           EXEC CICS RETURN END-EXEC.

       MARK.
           EXEC CICS LINK PROGRAM('KBMARK') END-EXEC.

      * THE APPLICATION'S OWN WORK.
       DO-WORK.
           PERFORM VARYING WS-I FROM 1 BY 1 UNTIL WS-I > LK-WORK
               COMPUTE WS-WORK = FUNCTION MOD(WS-WORK * 7 + WS-I, 9973)
           END-PERFORM.

       PASS-COMMAREA.
           PERFORM DO-WORK
           MOVE LK-SIZE TO WS-LENGTH
           EXEC CICS LINK PROGRAM('PSCOMM') COMMAREA(WS-AREA)
                LENGTH(WS-LENGTH) END-EXEC.

       PASS-CONTAINER.
           PERFORM DO-WORK
           EXEC CICS PUT CONTAINER('DATA') CHANNEL('PASSED')
                FROM(WS-AREA) FLENGTH(LK-SIZE) END-EXEC
           EXEC CICS LINK PROGRAM('PSCHAN') CHANNEL('PASSED') END-EXEC.

      * AN ITEM HOLDS AT MOST 32,763 BYTES.
       PASS-QUEUE.
           PERFORM DO-WORK
           MOVE LK-SIZE TO WS-LEFT
           MOVE 1 TO WS-AT
           PERFORM UNTIL WS-LEFT = 0
               IF WS-LEFT > 32000
                   MOVE 32000 TO WS-LENGTH
               ELSE
                   MOVE WS-LEFT TO WS-LENGTH
               END-IF
               EXEC CICS WRITEQ TS QUEUE('PSQUEUE')
                    FROM(WS-AREA(WS-AT:WS-LENGTH)) LENGTH(WS-LENGTH)
                    MAIN END-EXEC
               ADD WS-LENGTH TO WS-AT
               SUBTRACT WS-LENGTH FROM WS-LEFT
           END-PERFORM
           EXEC CICS LINK PROGRAM('PSQUE') COMMAREA(LK-SIZE) LENGTH(4)
           END-EXEC
           EXEC CICS DELETEQ TS QUEUE('PSQUEUE') END-EXEC.
