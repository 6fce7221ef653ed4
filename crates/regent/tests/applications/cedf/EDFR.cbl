      *    A conversation of tasks: each waits for the next input
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDFR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-OUT          PIC X(10) VALUE 'NEXT INPUT'.
       PROCEDURE DIVISION.
           EXEC CICS SEND TEXT FROM(WS-OUT) LENGTH(10) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN TRANSID('EDFR') END-EXEC.
