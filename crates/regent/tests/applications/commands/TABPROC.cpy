      * Keeps what the command answered. Nothing here changes the EXEC
      * interface block: no command is issued before the report.
       CHECK-COMMAND.
           MOVE 0 TO CK-PART
           MOVE CK-RESP TO CK-A-RESP
           MOVE CK-RESP2 TO CK-A-RESP2
           MOVE EIBRESP TO CK-A-EIBRESP
           MOVE EIBRESP2 TO CK-A-EIBRESP2
           MOVE EIBFN TO CK-A-EIBFN
           MOVE EIBRCODE TO CK-A-EIBRCODE
           MOVE EIBRSRCE TO CK-A-EIBRSRCE
           MOVE EIBDS TO CK-A-EIBDS
           MOVE CK-ENDED TO CK-A-ENDED
           MOVE SPACES TO CK-ENDED
           MOVE -9 TO CK-RESP CK-RESP2
           PERFORM CHECK-DATA.
       CHECK-DATA.
           ADD 1 TO CK-RECORDS
           MOVE CK-RECORD TO CK-LOGGED (CK-RECORDS).
       CHECK-REPORT.
           PERFORM VARYING CK-WAITS FROM 1 BY 1
               UNTIL CK-WAITS > CK-RECORDS
               STRING EIBTRNID ' '
                   FUNCTION HEX-OF(CK-LOGGED (CK-WAITS))
                   DELIMITED BY SIZE INTO CK-LINE
               EXEC CICS WRITEQ TD QUEUE('CMDL') FROM(CK-LINE)
                   LENGTH(133) END-EXEC
           END-PERFORM
           EXEC CICS SEND TEXT FROM(CK-SCREEN) LENGTH(25)
                ERASE FREEKB END-EXEC.
