       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSTTK.
      * Started in each way without a terminal: tells what it was
      * given.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  LEN PIC S9(4) COMP.
       01  FLEN PIC S9(8) COMP.
       01  ITEM-1.
           05  I-CODE PIC X(2).
           05  I-FCI PIC X.
           05  I-RESP PIC 9(4).
           05  I-CHANNEL PIC X(16).
           05  I-DATA PIC X(20) VALUE SPACES.
           05  I-USER PIC X(8).
           05  FILLER PIC X(9) VALUE SPACES.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ASSIGN STARTCODE(I-CODE) FCI(I-FCI)
                CHANNEL(I-CHANNEL) USERID(I-USER) END-EXEC
           IF I-CHANNEL = SPACES
           MOVE 20 TO LEN
           EXEC CICS RETRIEVE INTO(I-DATA) LENGTH(LEN) NOHANDLE END-EXEC
           MOVE EIBRESP TO I-RESP
           ELSE
           MOVE 20 TO FLEN
           EXEC CICS GET CONTAINER('CON') INTO(I-DATA) FLENGTH(FLEN)
                NOHANDLE END-EXEC
           MOVE EIBRESP TO I-RESP
           END-IF
           EXEC CICS WRITEQ TS QUEUE('CMDSTQ') FROM(ITEM-1) LENGTH(60)
                END-EXEC
           EXEC CICS RETURN END-EXEC.
