      * As CHKRESP, with the first byte of EIBRCODE.
           MOVE :CODE: TO WANT-RCODE
           MOVE 'Y' TO WANT-RCODE-KNOWN
           MOVE :NAME: TO CK-NAME
           MOVE :FN: TO WANT-FN
           MOVE :RESP: TO WANT-RESP
           MOVE :RESP2: TO WANT-RESP2
           PERFORM CHECK-COMMAND
