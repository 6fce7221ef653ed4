       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDREMO.
      * Programs, transactions and queues that are defined in another
      * system: there is no connection to any.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  AREA-1 PIC X(10).
       01  LEN PIC S9(4) COMP VALUE 10.
       01  PTR POINTER.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS LINK PROGRAM('CMDFAR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDFAR' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK REMOTE SYSIDERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS XCTL PROGRAM('CMDFAR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDFAR' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='XCTL REMOTE PGMIDERR'==
               ==:FN:== BY ==X'0E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==9== ==:CODE:== BY ==X'01'==.
           EXEC CICS LOAD PROGRAM('CMDFAR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDFAR' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LOAD REMOTE PGMIDERR'==
               ==:FN:== BY ==X'0E06'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==9== ==:CODE:== BY ==X'01'==.
           EXEC CICS RELEASE PROGRAM('CMDFAR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDFAR' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RELEASE REMOTE PGMIDERR'==
               ==:FN:== BY ==X'0E0A'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==9== ==:CODE:== BY ==X'01'==.
           EXEC CICS HANDLE ABEND PROGRAM('CMDFAR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDFAR' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE ABEND REMOTE PGMIDERR'==
               ==:FN:== BY ==X'0E0E'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==9== ==:CODE:== BY ==X'01'==.
           EXEC CICS START TRANSID('CMFR') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'CMFR' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START REMOTE SYSIDERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS START ATTACH TRANSID('CMFR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START ATTACH REMOTE'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS CANCEL REQID('CMDFRQ') TRANSID('CMFR')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL REMOTE SYSIDERR'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS WRITEQ TS QUEUE('CMDFAR') FROM(AREA-1)
                SYSID('NOSY') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS SYSIDERR'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS READQ TS QUEUE('CMDFAR') INTO(AREA-1) LENGTH(LEN)
                SYSID('NOSY') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS SYSIDERR'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS DELETEQ TS QUEUE('CMDFAR') SYSID('NOSY')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TS SYSIDERR'==
               ==:FN:== BY ==X'0A06'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS WRITEQ TS QUEUE('FARQUEUE') FROM(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS REMOTE MODEL'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(AREA-1) SYSID('NOSY')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD SYSIDERR'==
               ==:FN:== BY ==X'0802'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS READQ TD QUEUE('CMDT') INTO(AREA-1) LENGTH(LEN)
                SYSID('NOSY') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD SYSIDERR'==
               ==:FN:== BY ==X'0804'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS WRITEQ TS QUEUE('CMDNEAR') FROM(AREA-1)
                SYSID('CICS') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS OWN SYSID'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE('CMDNEAR') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TS'== ==:FN:== BY ==X'0A06'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
