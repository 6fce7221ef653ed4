      * Waits until the exit program has been called often enough.
           MOVE ZERO TO TRIES.
           PERFORM UNTIL G-COUNT NOT < N OR TRIES = 50
              EXEC CICS DELAY FOR MILLISECS(100) END-EXEC
              ADD 1 TO TRIES
           END-PERFORM.
