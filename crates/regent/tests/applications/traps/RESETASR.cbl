       IDENTIFICATION DIVISION.
       PROGRAM-ID. RESETASR.
      * An exit that makes itself the exit again and fails again.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-ZONED.
           05  W-NUMBER PIC S9(5) COMP-3.
       PROCEDURE DIVISION.
           MOVE SPACES TO W-ZONED
           EXEC CICS HANDLE ABEND LABEL(AGAIN) END-EXEC
           ADD 1 TO W-NUMBER
           EXEC CICS RETURN END-EXEC.
       AGAIN.
           EXEC CICS HANDLE ABEND RESET END-EXEC
           MOVE SPACES TO W-ZONED
           ADD 1 TO W-NUMBER.
           EXEC CICS RETURN END-EXEC.
