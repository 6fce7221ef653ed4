      * Begins with an empty work area, and starts the exit program.
           EXEC CICS EXTRACT EXIT PROGRAM(WS-EXIT)
              GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.
           SET ADDRESS OF GWA TO WS-PTR.
           MOVE ZERO TO G-COUNT.
           MOVE SPACES TO G-TEXT.
           EXEC CICS ENABLE PROGRAM(WS-EXIT) START END-EXEC.
