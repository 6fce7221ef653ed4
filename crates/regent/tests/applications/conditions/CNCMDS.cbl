      *Commands on behalf of a handler: most may be used, HANDLE may not.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNCMDS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SEEN EXTERNAL       PIC X(40).
       01  WS-RESP             PIC S9(8) COMP.
       01  WS-SHOWN            PIC 9(4).
       01  WS-TIME             PIC S9(15) COMP-3.
       PROCEDURE DIVISION.
           EXEC CICS ASKTIME ABSTIME(WS-TIME) RESP(WS-RESP) END-EXEC
           MOVE WS-RESP TO WS-SHOWN
           MOVE WS-SHOWN TO SEEN(6:4)
           EXEC CICS PUSH HANDLE RESP(WS-RESP) END-EXEC
           MOVE WS-RESP TO WS-SHOWN
           MOVE WS-SHOWN TO SEEN(11:4)
           GOBACK.
