      * Check of the command before: name of the check, EIBFN, RESP and
      * RESP2 (-1: any).
           MOVE :NAME: TO CK-NAME
           MOVE :FN: TO WANT-FN
           MOVE :RESP: TO WANT-RESP
           MOVE :RESP2: TO WANT-RESP2
           PERFORM CHECK-COMMAND
