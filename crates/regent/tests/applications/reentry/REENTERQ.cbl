       IDENTIFICATION DIVISION.
       PROGRAM-ID. REENTERQ.
      * Fills its WORKING-STORAGE with its own task's number, gives up
      * control again and again, and looks whether anything changed.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-FIRST PIC X(8) VALUE 'INITIAL'.
       01  WS-TABLE.
           05  WS-NUMBER OCCURS 200 TIMES PIC S9(7) COMP-3.
       01  WS-IX PIC S9(4) COMP.
       01  WS-ROUND PIC S9(4) COMP.
       01  WS-FAULTS PIC S9(8) COMP VALUE ZERO.
       01  WS-LINE.
           05  LN-TASK PIC 9(7).
           05  FILLER PIC X VALUE SPACE.
           05  LN-FAULTS PIC 9(8).
           05  FILLER PIC X VALUE SPACE.
           05  LN-LETTER PIC X VALUE 'A'.
       01  WS-RESP PIC S9(8) COMP.
       LOCAL-STORAGE SECTION.
       01  LS-MARK PIC X(4) VALUE 'MARK'.
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF WS-FIRST NOT = 'INITIAL' OR LS-MARK NOT = 'MARK'
               ADD 1000000 TO WS-FAULTS
           END-IF
           MOVE 'USED' TO WS-FIRST LS-MARK
           PERFORM VARYING WS-IX FROM 1 BY 1 UNTIL WS-IX > 200
               MOVE EIBTASKN TO WS-NUMBER (WS-IX)
           END-PERFORM
           PERFORM VARYING WS-ROUND FROM 1 BY 1 UNTIL WS-ROUND > 20
               EXEC CICS DELAY FOR MILLISECS(5) END-EXEC
               EXEC CICS SUSPEND END-EXEC
               PERFORM VARYING WS-IX FROM 1 BY 1 UNTIL WS-IX > 200
                   IF WS-NUMBER (WS-IX) NOT = EIBTASKN
                       ADD 1 TO WS-FAULTS
                   END-IF
               END-PERFORM
           END-PERFORM
           MOVE EIBTASKN  TO LN-TASK
           MOVE WS-FAULTS TO LN-FAULTS
           EXEC CICS WRITEQ TS QUEUE('REENTER') FROM(WS-LINE)
                RESP(WS-RESP) END-EXEC
           EXEC CICS RETURN END-EXEC.
