       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTESEND.
      * Routes a text to the terminal that the input names: at once
      * (RTXT), in three seconds (RDLY), for an operator (ROPR), with
      * ERRTERM (RERR), to all terminals (RALL), recovered (RREC), or
      * backed out (RBAK).
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RESP PIC S9(8) COMP.
       01  NUM PIC 9(4).
       01  IN-DATA PIC X(40) VALUE SPACES.
       01  IN-LENGTH PIC S9(4) COMP VALUE 40.
       01  TITLE.
           05  FILLER PIC S9(4) COMP VALUE 14.
           05  FILLER PIC X(12) VALUE 'MONDAY NOTES'.
       01  ROUTE-LIST.
           05  RL-TERMINAL PIC X(4).
           05  FILLER PIC X(2) VALUE SPACES.
           05  RL-OPERATOR PIC X(3) VALUE SPACES.
           05  FILLER PIC X(7) VALUE SPACES.
           05  FILLER PIC S9(4) COMP VALUE -1.
       01  TEXT-LINE.
           05  TEXT-START PIC X(14) VALUE 'MESSAGE OF THE'.
           05  FILLER PIC X VALUE SPACE.
           05  TEXT-TRANSACTION PIC X(4).
       01  OUT-LINE.
           05  FILLER PIC X(7) VALUE 'ROUTED '.
           05  OUT-RESP PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS RECEIVE INTO(IN-DATA) LENGTH(IN-LENGTH)
                RESP(RESP) END-EXEC
           MOVE IN-DATA (6:4) TO RL-TERMINAL
           EVALUATE EIBTRNID
               WHEN 'RTXT'
                   EXEC CICS ROUTE LIST(ROUTE-LIST) TITLE(TITLE)
                        RESP(RESP) END-EXEC
               WHEN 'RDLY'
                   EXEC CICS ROUTE LIST(ROUTE-LIST) INTERVAL(3)
                        RESP(RESP) END-EXEC
               WHEN 'ROPR'
                   MOVE IN-DATA (11:3) TO RL-OPERATOR
                   EXEC CICS ROUTE LIST(ROUTE-LIST)
                        RESP(RESP) END-EXEC
               WHEN 'RERR'
                   EXEC CICS ROUTE LIST(ROUTE-LIST) TITLE(TITLE)
                        ERRTERM RESP(RESP) END-EXEC
               WHEN 'RREC' WHEN 'RBAK'
                   EXEC CICS ROUTE LIST(ROUTE-LIST) TITLE(TITLE)
                        REQID('RQ') RESP(RESP) END-EXEC
               WHEN 'RALL'
                   EXEC CICS ROUTE RESP(RESP) END-EXEC
           END-EVALUATE
           MOVE RESP TO NUM
           MOVE NUM TO OUT-RESP
           MOVE EIBTRNID TO TEXT-TRANSACTION
           EXEC CICS SEND TEXT FROM(TEXT-LINE) LENGTH(19) ACCUM PAGING
                ERASE END-EXEC
           EXEC CICS SEND PAGE END-EXEC
           IF EIBTRNID = 'RBAK'
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           END-IF
           EXEC CICS SEND TEXT FROM(OUT-LINE) LENGTH(11)
                ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
