      *    Shows the name of the terminal
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDFT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-OUT.
           05  FILLER      PIC X(10) VALUE 'TERMINAL: '.
           05  WS-NAME     PIC X(4).
       PROCEDURE DIVISION.
           MOVE EIBTRMID TO WS-NAME
           EXEC CICS SEND TEXT FROM(WS-OUT) LENGTH(14) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.
