       IDENTIFICATION DIVISION.
       PROGRAM-ID. FLOOD.
      * Sends screens as fast as it can.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-SCREEN         PIC X(1500) VALUE ALL 'X'.
       01  W-LAST.
           05  FILLER       PIC X(10) VALUE 'FLOOD SENT'.
           05  W-COUNT      PIC Z(6)9.
       01  W-SENT           PIC S9(8) COMP VALUE 0.
       PROCEDURE DIVISION.
           PERFORM 8000 TIMES
               EXEC CICS SEND FROM(W-SCREEN) LENGTH(1500) ERASE WAIT
               END-EXEC
               ADD 1 TO W-SENT
           END-PERFORM
           MOVE W-SENT TO W-COUNT
           EXEC CICS SEND FROM(W-LAST) LENGTH(17) ERASE WAIT END-EXEC
           EXEC CICS RETURN END-EXEC.
