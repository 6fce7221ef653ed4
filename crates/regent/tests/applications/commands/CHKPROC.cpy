      * One command: RESP, RESP2, EIBRESP, EIBRESP2, EIBFN, and where
      * the program says so EIBRCODE, EIBRSRCE and EIBDS.
       CHECK-COMMAND.
           ADD 1 TO CK-COUNT
           IF CK-RESP = WANT-RESP AND EIBRESP = WANT-RESP
              AND (WANT-RESP2 = -1 OR
                   (CK-RESP2 = WANT-RESP2 AND EIBRESP2 = WANT-RESP2))
              AND EIBFN = WANT-FN
              AND (WANT-RCODE-KNOWN = 'N' OR
                   EIBRCODE (1:1) = WANT-RCODE)
              AND (WANT-RESOURCE = SPACES OR
                   EIBRSRCE = WANT-RESOURCE)
              AND (WANT-FILE = SPACES OR EIBDS = WANT-FILE)
               CONTINUE
           ELSE
               PERFORM CHECK-FAULT
               IF CK-FAULTS < 19
                   MOVE CK-RESP TO CK-EDIT
                   MOVE CK-RESP2 TO CK-EDIT2
                   MOVE EIBFN TO CK-TWO
                   PERFORM CHECK-HEXADECIMAL
                   STRING CK-NAME CK-EDIT CK-EDIT2 ' FN ' CK-HEXED
                       DELIMITED BY SIZE INTO CK-TEXT (CK-FAULTS)
                   MOVE EIBRCODE (1:1) TO CK-TWO (2:1)
                   MOVE LOW-VALUE TO CK-TWO (1:1)
                   PERFORM CHECK-HEXADECIMAL
                   STRING ' RC ' CK-HEXED (3:2) ' ' EIBRSRCE
                       DELIMITED BY SIZE
                       INTO CK-TEXT (CK-FAULTS) (58:22)
               END-IF
           END-IF
           MOVE -9 TO CK-RESP CK-RESP2
           MOVE 'N' TO WANT-RCODE-KNOWN
           MOVE SPACES TO WANT-RESOURCE WANT-FILE.
       CHECK-FAULT.
           ADD 1 TO CK-FAULTS
           IF CK-FAULTS < 19
               MOVE CK-NAME TO CK-TEXT (CK-FAULTS)
           END-IF.
       CHECK-HEXADECIMAL.
           MOVE CK-BINARY TO CK-BYTE
           PERFORM VARYING CK-LENGTH FROM 4 BY -1 UNTIL CK-LENGTH < 1
               DIVIDE CK-BINARY BY 16 GIVING CK-BYTE
                   REMAINDER CK-NIBBLE
               MOVE CK-HEX (CK-NIBBLE + 1:1) TO CK-HEXED (CK-LENGTH:1)
               MOVE CK-BYTE TO CK-BINARY
           END-PERFORM.
       CHECK-HEADING.
           STRING EIBTRNID ': ' CK-COUNT ' CHECKS, ' CK-FAULTS
               ' FAULTS' DELIMITED BY SIZE INTO CK-HEAD
           MOVE CK-TEXT (1) TO CK-FIRST.
       CHECK-ANSWER.
           PERFORM CHECK-HEADING
           COMPUTE CK-LENGTH = 80 * (CK-FAULTS + 1)
           IF CK-FAULTS > 18 MOVE 1520 TO CK-LENGTH END-IF
           EXEC CICS SEND TEXT FROM(CK-LINES) LENGTH(CK-LENGTH)
                ERASE FREEKB END-EXEC.
