       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDRETR.
      * Started with data: RETRIEVE, and what a task without a terminal
      * is told. Hands its result back in a queue.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  DATA-1 PIC X(40).
       01  LEN PIC S9(4) COMP.
       01  R-TRAN PIC X(4).
       01  R-TERM PIC X(4).
       01  R-QUEUE PIC X(8).
       01  HEIGHT PIC S9(4) COMP.
       01  CODE-2 PIC X(2).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 40 TO LEN
           EXEC CICS RETRIEVE INTO(DATA-1) LENGTH(LEN) RTRANSID(R-TRAN)
                RTERMID(R-TERM) QUEUE(R-QUEUE) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RETRIEVE'== ==:FN:== BY ==X'100A'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RETRIEVE DATA'==
               ==:TEST:== BY ==DATA-1 (1:20) = 'STARTED WITH DATA' AND
                 LEN = 20==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RETRIEVE OPTIONS'==
               ==:TEST:== BY ==R-TRAN = 'RTRN' AND R-TERM = 'RTRM' AND
                 R-QUEUE = 'RQUEUE'==.
           EXEC CICS RETRIEVE INTO(DATA-1) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RETRIEVE AGAIN ENDDATA'==
               ==:FN:== BY ==X'100A'== ==:RESP:== BY ==29==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           EXEC CICS ASSIGN STARTCODE(CODE-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASSIGN STARTCODE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='STARTCODE SD'==
               ==:TEST:== BY ==CODE-2 = 'SD'==.
           EXEC CICS ASSIGN SCRNHT(HEIGHT) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN SCRNHT INVREQ'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EIBTRMID IS LOW-VALUES'==
               ==:TEST:== BY ==EIBTRMID = LOW-VALUES==.
           PERFORM CHECK-HEADING
           EXEC CICS WRITEQ TS QUEUE('CMDBACK') FROM(CK-RESULT)
                LENGTH(87) END-EXEC
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
