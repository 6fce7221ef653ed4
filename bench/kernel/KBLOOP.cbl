       IDENTIFICATION DIVISION.
       PROGRAM-ID. KBLOOP.
      ******************************************************************
      * ONE COMMAND IN A LOOP, BETWEEN TWO CALLS OF THE CLOCK (KBMARK).
      * THE HARNESS SUBTRACTS THE SAME LOOP WITHOUT THE COMMAND.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-KEY                          PIC 9(16) VALUE ZERO.
       77  WS-NUMBER                       PIC S9(09) COMP VALUE ZERO.
       77  WS-APPLID                       PIC X(08) VALUE SPACES.
       01  WS-AREA                         PIC X(100) VALUE SPACES.
       01  WS-RECORD.
           05  REC-KEY                     PIC 9(16) VALUE ZERO.
           05  REC-COUNT                   PIC S9(09) COMP VALUE ZERO.
           05  FILLER                      PIC X(80) VALUE SPACES.

       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  LK-CASE                     PIC X(08).
           05  LK-FILE                     PIC X(08).
           05  LK-COUNT                    PIC S9(09) COMP.
           05  LK-FIRST                    PIC S9(09) COMP.
           05  LK-KEYS                     PIC S9(09) COMP.
           05  LK-STEP                     PIC S9(09) COMP.

       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE LK-FIRST TO WS-NUMBER
           PERFORM MARK
           EVALUATE LK-CASE
               WHEN 'EMPTY'
                   PERFORM DO-NOTHING LK-COUNT TIMES
               WHEN 'ASSIGN'
                   PERFORM DO-ASSIGN LK-COUNT TIMES
               WHEN 'LINK'
                   PERFORM DO-LINK LK-COUNT TIMES
               WHEN 'KEYS'
                   PERFORM NEXT-KEY LK-COUNT TIMES
               WHEN 'READ'
                   PERFORM DO-READ LK-COUNT TIMES
               WHEN 'UPDATE'
                   PERFORM DO-UPDATE LK-COUNT TIMES
               WHEN 'LOAD'
                   PERFORM DO-WRITE LK-COUNT TIMES
           END-EVALUATE
           PERFORM MARK
           EXEC CICS RETURN END-EXEC.

       MARK.
           EXEC CICS LINK PROGRAM('KBMARK') END-EXEC.

       DO-NOTHING.
           CONTINUE.

       DO-ASSIGN.
           EXEC CICS ASSIGN APPLID(WS-APPLID) END-EXEC.

       DO-LINK.
           EXEC CICS LINK PROGRAM('KBNULL') COMMAREA(WS-AREA) END-EXEC.

       NEXT-KEY.
           ADD LK-STEP TO WS-NUMBER
           IF WS-NUMBER >= LK-FIRST + LK-KEYS
               SUBTRACT LK-KEYS FROM WS-NUMBER
           END-IF
           MOVE WS-NUMBER TO WS-KEY.

       DO-READ.
           PERFORM NEXT-KEY
           EXEC CICS READ FILE(LK-FILE) INTO(WS-RECORD) RIDFLD(WS-KEY)
           END-EXEC.

       DO-UPDATE.
           PERFORM NEXT-KEY
           EXEC CICS READ FILE(LK-FILE) INTO(WS-RECORD) RIDFLD(WS-KEY)
                UPDATE
           END-EXEC
           ADD 1 TO REC-COUNT
           EXEC CICS REWRITE FILE(LK-FILE) FROM(WS-RECORD) END-EXEC
           EXEC CICS SYNCPOINT END-EXEC.

       DO-WRITE.
           MOVE WS-NUMBER TO WS-KEY REC-KEY
           EXEC CICS WRITE FILE(LK-FILE) FROM(WS-RECORD) RIDFLD(WS-KEY)
           END-EXEC
           ADD 1 TO WS-NUMBER.
