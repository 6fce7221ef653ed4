       IDENTIFICATION DIVISION.
       PROGRAM-ID. ACHL.
      ******************************************************************
      * TRANSACTION ACHL, THE CHILD OF ASGS AND ASGX: IT WAITS FOR THE
      * TIME IN CONTAINER WAIT, AS FOR A SERVICE OUTSIDE OF CICS.
      ******************************************************************
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-MILLISECONDS                 PIC S9(8) COMP VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS GET CONTAINER('WAIT') INTO(WS-MILLISECONDS)
           END-EXEC
           IF WS-MILLISECONDS > 0
               EXEC CICS DELAY MILLISECS(WS-MILLISECONDS) END-EXEC
           END-IF
           EXEC CICS RETURN END-EXEC.
