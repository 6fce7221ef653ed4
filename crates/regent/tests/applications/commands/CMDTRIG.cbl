       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDTRIG.
      * Reaches the trigger level of a queue whose facility is this
      * terminal.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  ITEM-1 PIC X(4) VALUE 'ITEM'.
       01  PROMPT PIC X(8) VALUE 'WRITTEN.'.
       01  ROOM PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS DELETEQ TD QUEUE('CMDG') NOHANDLE END-EXEC
           EXEC CICS SET TDQUEUE('CMDG') ATIFACILITY(DFHVALUE(TERMINAL))
                ATITERMID(EIBTRMID) ATITRANID('CMA3') TRIGGERLEVEL(3)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TDQUEUE'== ==:FN:== BY ==X'5C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==.
           EXEC CICS WRITEQ TD QUEUE('CMDG') FROM(ITEM-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDG' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 1'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS WRITEQ TD QUEUE('CMDG') FROM(ITEM-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDG' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 2'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS WRITEQ TD QUEUE('CMDG') FROM(ITEM-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDG' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 3'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           IF CK-FAULTS NOT = 0 PERFORM CHECK-ANSWER ELSE
           EXEC CICS DELAY FOR MILLISECS(300) END-EXEC
           EXEC CICS SEND TEXT FROM(PROMPT) LENGTH(8) ERASE FREEKB
                END-EXEC
           END-IF
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
