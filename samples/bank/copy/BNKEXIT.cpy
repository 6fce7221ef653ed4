      *----------------------------------------------------------------
      * WAYS OUT OF A SCREEN PROGRAM
      *----------------------------------------------------------------
       RETURN-TO-MENU.
           SET CA-NEW TO TRUE
           MOVE WS-MESSAGE TO CA-MESSAGE
           EXEC CICS XCTL PROGRAM('BNKMENU') COMMAREA(BNK-COMMAREA)
           END-EXEC.

       REPORT-ERROR.
           MOVE WS-PROGRAM  TO ER-PROGRAM
           MOVE WS-RESP     TO ER-RESP
           MOVE WS-RESP2    TO ER-RESP2
           EXEC CICS LINK PROGRAM('BNKERR') COMMAREA(BNK-ERROR)
           END-EXEC
           MOVE ER-TEXT     TO WS-MESSAGE.
