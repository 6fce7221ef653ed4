       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDATIN.
      * Started for a terminal without data, after the START with data
      * that came before; and by a queue.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CODE-2 PIC X(2).
       01  QUEUE-1 PIC X(4) VALUE SPACES.
       01  ITEM-1 PIC X(4).
       01  LEN PIC S9(4) COMP.
       01  COUNT-1 PIC 9(4) VALUE 0.
       01  REPORT-1.
           05  FILLER PIC X(6) VALUE 'NEXT '.
           05  R-CODE PIC X(3).
           05  R-RESP PIC 9(4).
           05  FILLER PIC X VALUE SPACE.
           05  R-QUEUE PIC X(5).
           05  R-COUNT PIC 9(4).
       01  PAUSE PIC S9(4) COMP.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ASSIGN STARTCODE(CODE-2) END-EXEC
           MOVE CODE-2 TO R-CODE
           IF CODE-2 = 'QD'
           EXEC CICS ASSIGN QNAME(QUEUE-1) END-EXEC
           PERFORM UNTIL EIBRESP NOT = 0
           MOVE 4 TO LEN
           EXEC CICS READQ TD QUEUE(QUEUE-1) INTO(ITEM-1) LENGTH(LEN)
                NOHANDLE END-EXEC
           IF EIBRESP = 0 ADD 1 TO COUNT-1 END-IF
           END-PERFORM
           MOVE EIBRESP TO R-RESP
           MOVE QUEUE-1 TO R-QUEUE
           MOVE COUNT-1 TO R-COUNT
           ELSE
           EXEC CICS RETRIEVE INTO(ITEM-1) NOHANDLE END-EXEC
           MOVE EIBRESP TO R-RESP
           MOVE SPACES TO R-QUEUE
           MOVE 0 TO R-COUNT
           EXEC CICS DELAY FOR MILLISECS(500) END-EXEC
           END-IF
           EXEC CICS SEND TEXT FROM(REPORT-1) LENGTH(23) ERASE FREEKB
                END-EXEC
           EXEC CICS RETURN END-EXEC.
