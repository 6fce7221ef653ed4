       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKSIGN.
      ******************************************************************
      * TRANSACTION BANK: A TELLER SIGNS ON
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKSIGN'.
       COPY BNKWORK.
       COPY BNKTELL.
       COPY BNKCOMM.
       COPY BNKSG.
       COPY DFHAID.
       COPY DFHBMSCA.

       LINKAGE SECTION.
       01  DFHCOMMAREA                     PIC X(450).

       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS HANDLE AID
                PF3(SIGN-OFF)
                CLEAR(SHOW-EMPTY)
                ANYKEY(WRONG-KEY)
           END-EXEC
           IF EIBCALEN = 0
               MOVE LOW-VALUES TO SIGNONO
               PERFORM SEND-WHOLE-SCREEN
           ELSE
               MOVE DFHCOMMAREA TO BNK-COMMAREA
               PERFORM RECEIVE-AND-CHECK
           END-IF
           PERFORM WAIT-FOR-INPUT.

       RECEIVE-AND-CHECK.
      *    WITHOUT RESP, WHICH WOULD TURN THE HANDLE AID OFF
           EXEC CICS IGNORE CONDITION MAPFAIL END-EXEC
           EXEC CICS RECEIVE MAP('SIGNON') MAPSET('BNKSG') END-EXEC
           IF EIBRESP = DFHRESP(MAPFAIL)
               MOVE LOW-VALUES TO SIGNONI
           END-IF
           INSPECT USERIDI REPLACING ALL LOW-VALUE BY SPACE
           INSPECT PINI REPLACING ALL LOW-VALUE BY SPACE
           IF USERIDI = SPACES
               MOVE 'TYPE YOUR TELLER ID' TO WS-MESSAGE
               MOVE -1 TO USERIDL
           ELSE
               PERFORM FIND-TELLER
           END-IF
           PERFORM SEND-DATA-ONLY.

       FIND-TELLER.
           SEARCH ALL TELLER
               AT END
                   MOVE 'TELLER ID IS NOT KNOWN' TO WS-MESSAGE
                   MOVE DFHRED TO USERIDC
                   MOVE -1 TO USERIDL
               WHEN TELLER-ID (TELLER-IX) = USERIDI
                   PERFORM CHECK-PIN
           END-SEARCH.

       CHECK-PIN.
           IF PINI NOT = TELLER-PIN (TELLER-IX)
               MOVE 'PIN IS WRONG' TO WS-MESSAGE
               MOVE -1 TO PINL
           ELSE
               INITIALIZE BNK-COMMAREA
               MOVE 'BNK1'                   TO CA-EYECATCHER
               MOVE TELLER-ID (TELLER-IX)    TO CA-TELLER-ID
               MOVE TELLER-NAME (TELLER-IX)  TO CA-TELLER-NAME
               SET CA-NEW TO TRUE
               EXEC CICS XCTL PROGRAM('BNKMENU')
                    COMMAREA(BNK-COMMAREA)
               END-EXEC
           END-IF.

       SHOW-EMPTY.
           MOVE LOW-VALUES TO SIGNONO
           PERFORM SEND-WHOLE-SCREEN
           PERFORM WAIT-FOR-INPUT.

       WRONG-KEY.
           MOVE 'THAT KEY HAS NO FUNCTION HERE' TO WS-MESSAGE
           MOVE LOW-VALUES TO SIGNONO
           PERFORM SEND-DATA-ONLY
           PERFORM WAIT-FOR-INPUT.

       SIGN-OFF.
           EXEC CICS SEND TEXT FROM(WS-END-TEXT)
                LENGTH(LENGTH OF WS-END-TEXT) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.

       SEND-WHOLE-SCREEN.
           PERFORM FILL-HEADING
           MOVE -1 TO USERIDL
           EXEC CICS SEND MAP('SIGNON') MAPSET('BNKSG') FROM(SIGNONO)
                ERASE CURSOR FREEKB
           END-EXEC.

       SEND-DATA-ONLY.
           PERFORM FILL-HEADING
           MOVE LOW-VALUES TO PINO
           EXEC CICS SEND MAP('SIGNON') MAPSET('BNKSG') FROM(SIGNONO)
                DATAONLY CURSOR ALARM FREEKB
           END-EXEC.

       WAIT-FOR-INPUT.
           EXEC CICS RETURN TRANSID('BANK') COMMAREA(BNK-COMMAREA)
                LENGTH(LENGTH OF BNK-COMMAREA)
           END-EXEC.

       COPY BNKHEAD REPLACING ==:MAP:== BY ==SIGNONO==.
       COPY BNKTIME.
