       IDENTIFICATION DIVISION.
       PROGRAM-ID. NOTEPGM.
      * Transaction NOTE: shows a note by its number, and saves it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY NOTESET.
       COPY NOTEREC.
       COPY DFHAID.
       01  WS-STATE                    PIC X(01) VALUE 'S'.
       01  WS-RESP                     PIC S9(08) COMP.
       01  WS-TEXT                     PIC X(40).

       LINKAGE SECTION.
       01  DFHCOMMAREA                 PIC X(01).

       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBCALEN = 0
               MOVE LOW-VALUES TO NOTEMAPO
               MOVE 'TYPE A NUMBER' TO MESSAGEO
               EXEC CICS SEND MAP('NOTEMAP') MAPSET('NOTESET')
                    FROM(NOTEMAPO) ERASE FREEKB
               END-EXEC
           ELSE
               PERFORM ANSWER
           END-IF
           EXEC CICS RETURN TRANSID('NOTE') COMMAREA(WS-STATE)
                LENGTH(LENGTH OF WS-STATE)
           END-EXEC.

       ANSWER.
           IF EIBAID = DFHPF3 OR EIBAID = DFHCLEAR
               EXEC CICS SEND CONTROL ERASE FREEKB END-EXEC
               EXEC CICS RETURN END-EXEC
           END-IF
           EXEC CICS RECEIVE MAP('NOTEMAP') MAPSET('NOTESET')
                INTO(NOTEMAPI) RESP(WS-RESP)
           END-EXEC
           IF WS-RESP = DFHRESP(MAPFAIL)
               MOVE LOW-VALUES TO NOTEMAPI
           END-IF
           IF NUMBERL = 0
               MOVE 'TYPE A NUMBER' TO MESSAGEO
           ELSE
               INSPECT NUMBERI REPLACING ALL LOW-VALUE BY SPACE
               INSPECT NOTEI REPLACING ALL LOW-VALUE BY SPACE
               MOVE NUMBERI TO NOTE-NUMBER
               MOVE NOTEI TO WS-TEXT
               EVALUATE TRUE
                   WHEN EIBAID NOT = DFHPF5
                       PERFORM SHOW-NOTE
                   WHEN NOTEL = 0
                       MOVE 'TYPE A TEXT, THEN PRESS PF5' TO MESSAGEO
                   WHEN OTHER
                       PERFORM SAVE-NOTE
               END-EVALUATE
           END-IF
           EXEC CICS SEND MAP('NOTEMAP') MAPSET('NOTESET')
                FROM(NOTEMAPO) DATAONLY FREEKB
           END-EXEC.

       SHOW-NOTE.
           EXEC CICS READ FILE('NOTES') INTO(NOTE-RECORD)
                RIDFLD(NOTE-NUMBER) RESP(WS-RESP)
           END-EXEC
           EVALUATE WS-RESP
               WHEN DFHRESP(NORMAL)
                   MOVE NOTE-TEXT TO NOTEO
                   MOVE 'CHANGE THE TEXT AND PRESS PF5' TO MESSAGEO
               WHEN DFHRESP(NOTFND)
                   MOVE SPACES TO NOTEO
                   MOVE 'NO SUCH NOTE: TYPE A TEXT AND PRESS PF5'
                     TO MESSAGEO
               WHEN OTHER
                   MOVE 'THE FILE NOTES CANNOT BE READ' TO MESSAGEO
           END-EVALUATE.

       SAVE-NOTE.
           EXEC CICS READ FILE('NOTES') INTO(NOTE-RECORD)
                RIDFLD(NOTE-NUMBER) UPDATE RESP(WS-RESP)
           END-EXEC
           MOVE WS-TEXT TO NOTE-TEXT
           IF WS-RESP = DFHRESP(NORMAL)
               EXEC CICS REWRITE FILE('NOTES') FROM(NOTE-RECORD)
                    RESP(WS-RESP)
               END-EXEC
           ELSE
               EXEC CICS WRITE FILE('NOTES') FROM(NOTE-RECORD)
                    RIDFLD(NOTE-NUMBER) RESP(WS-RESP)
               END-EXEC
           END-IF
           IF WS-RESP = DFHRESP(NORMAL)
               MOVE 'SAVED' TO MESSAGEO
           ELSE
               MOVE 'THE NOTE CANNOT BE SAVED' TO MESSAGEO
           END-IF.
