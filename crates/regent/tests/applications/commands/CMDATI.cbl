       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDATI.
      * STARTs for a terminal: holds its own terminal until several
      * have expired, then lets them come.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  WORD PIC X(12).
       01  LEN PIC S9(4) COMP.
       01  TARGET PIC X(4).
       01  DATA-1 PIC X(4).
       01  WHO-1.
           05  FILLER PIC X(9) VALUE 'TERMINAL '.
           05  NAME-1 PIC X(4).
       01  PROMPT PIC X(8) VALUE 'STARTED.'.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 12 TO LEN
           MOVE SPACES TO WORD
           EXEC CICS RECEIVE INTO(WORD) LENGTH(LEN) END-EXEC
           IF WORD (6:3) = 'WHO'
           MOVE EIBTRMID TO NAME-1
           EXEC CICS SEND TEXT FROM(WHO-1) LENGTH(13) ERASE FREEKB
                END-EXEC
           EXEC CICS RETURN END-EXEC
           END-IF
           MOVE EIBTRMID TO TARGET
           IF WORD (6:4) NOT = SPACES MOVE WORD (6:4) TO TARGET END-IF
           MOVE 'R003' TO DATA-1
           EXEC CICS START TRANSID('CMA2') TERMID(TARGET) FROM(DATA-1)
                INTERVAL(1) REQID('CMDATI3') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMA2' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START INTERVAL TERMID'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START: EIBREQID'==
               ==:TEST:== BY ==EIBREQID = 'CMDATI3' ==.
           MOVE 'R001' TO DATA-1
           EXEC CICS START TRANSID('CMA2') TERMID(TARGET) FROM(DATA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMA2' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START TERMID'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START: EIBREQID MADE'==
               ==:TEST:== BY ==EIBREQID NOT = 'CMDATI3' AND EIBREQID NOT
                 = SPACES==.
           MOVE 'R002' TO DATA-1
           EXEC CICS START TRANSID('CMA2') TERMID(TARGET) FROM(DATA-1)
                REQID('CMDATI2') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START TERMID REQID'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS CANCEL REQID('CMDATI2') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL OF A QUEUED START'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'81'==.
           EXEC CICS START TRANSID('CMA3') TERMID(TARGET) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START TERMID NO DATA'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE('CMDATIQ') NOHANDLE END-EXEC
           PERFORM CHECK-HEADING
           EXEC CICS WRITEQ TS QUEUE('CMDATIQ') FROM(CK-RESULT)
                LENGTH(87) END-EXEC
           EXEC CICS DELAY FOR MILLISECS(1500) END-EXEC
           EXEC CICS SEND TEXT FROM(PROMPT) LENGTH(8) ERASE FREEKB
                END-EXEC
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
