       IDENTIFICATION DIVISION.
       PROGRAM-ID. KBWAIT.
      ******************************************************************
      * A TASK THAT WAITS LONG, AS ONE THAT WAITS FOR ITS TERMINAL DOES
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-AREA                         PIC X(200).
       PROCEDURE DIVISION.
           MOVE SPACES TO WS-AREA.
           EXEC CICS DELAY FOR HOURS(1) END-EXEC.
           EXEC CICS RETURN END-EXEC.
