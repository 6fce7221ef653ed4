      * A check of data: a condition and the name of the check.
           ADD 1 TO CK-COUNT
           IF :TEST: CONTINUE ELSE
               MOVE :NAME: TO CK-NAME
               PERFORM CHECK-FAULT
           END-IF
