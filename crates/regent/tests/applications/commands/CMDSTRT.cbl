       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSTRT.
      * START, START CHANNEL, START ATTACH, CANCEL, PROTECT and REQID;
      * POST and DELAY that takes its place.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  DATA-1 PIC X(20) VALUE 'STARTED WITH DATA'.
       01  LEN PIC S9(4) COMP.
       01  ITEM-1 PIC X(60).
       01  ITEM-PARTS REDEFINES ITEM-1.
           05  I-CODE PIC X(2).
           05  I-FCI PIC X.
           05  I-RESP PIC 9(4).
           05  I-CHANNEL PIC X(16).
           05  I-DATA PIC X(20).
           05  I-USER PIC X(8).
           05  FILLER PIC X(9).
       01  NUMBER-1 PIC S9(4) COMP VALUE 0.
       01  WANTED PIC S9(4) COMP VALUE 0.
       01  SEEN PIC X(8).
       01  ABEND-CODE PIC X(4).
       01  PTR POINTER.
       01  PTR-2 POINTER.
       LINKAGE SECTION.
       01  EVENT-AREA PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS DELETEQ TS QUEUE('CMDSTQ') NOHANDLE END-EXEC
           EXEC CICS START ATTACH TRANSID('CMTT') FROM(DATA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMTT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START ATTACH'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           ADD 1 TO WANTED
           MOVE 'START ATTACH RUNS' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START ATTACH: TASK'==
               ==:TEST:== BY ==I-CODE = 'SD' AND I-RESP = 0 AND I-DATA =
                 'STARTED WITH DATA' AND I-FCI = X'04' ==.
           EXEC CICS START ATTACH TRANSID('NONE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START ATTACH TRANSIDERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==28==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'11'==.
           EXEC CICS START ATTACH TRANSID('CMTT') FROM(DATA-1) LENGTH(0)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START ATTACH 0 LENGERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'E1'==.
           EXEC CICS PUT CONTAINER('CON') CHANNEL('STARTCHAN')
                FROM(DATA-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT CONTAINER'== ==:FN:== BY ==X'3416'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS START TRANSID('CMTT') CHANNEL('STARTCHAN')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMTT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START CHANNEL'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'CHANGED' TO DATA-1
           EXEC CICS PUT CONTAINER('CON') CHANNEL('STARTCHAN')
                FROM(DATA-1) END-EXEC
           MOVE 'STARTED WITH DATA' TO DATA-1
           ADD 1 TO WANTED
           MOVE 'START CHANNEL RUNS' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START CHANNEL: ITS OWN COPY'==
               ==:TEST:== BY ==I-CODE = 'S ' AND I-CHANNEL = 'STARTCHAN'
                 AND I-DATA = 'STARTED WITH DATA' ==.
           EXEC CICS START TRANSID('CMTT') CHANNEL('A B') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='START CHANNEL CHANNELERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==-1==.
           EXEC CICS START TRANSID('CMTT') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           ADD 1 TO WANTED
           MOVE 'START RUNS' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START: RETRIEVE GIVES ENDDATA'==
               ==:TEST:== BY ==I-CODE = 'S ' AND I-RESP = 29 AND I-FCI =
                 X'04' ==.
           EXEC CICS START TRANSID('CMTT') USERID('OTHERUSR')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START USERID'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           ADD 1 TO WANTED
           MOVE 'START USERID RUNS' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START USERID: USER OF THE TASK'==
               ==:TEST:== BY ==I-USER = 'OTHERUSR' ==.
           MOVE 0 TO LEN
           EXEC CICS START TRANSID('CMTT') FROM(DATA-1) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START LENGTH 0 LENGERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'E1'==.
           MOVE -1 TO LEN
           EXEC CICS START TRANSID('CMTT') FROM(DATA-1) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START LENGTH -1 LENGERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'E1'==.
           MOVE 1 TO LEN
           EXEC CICS START TRANSID('CMTT') FROM(DATA-1) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START LENGTH 1'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           ADD 1 TO WANTED
           MOVE 'START LENGTH 1 RUNS' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START LENGTH 1: DATA'==
               ==:TEST:== BY ==I-DATA = 'S' ==.
           EXEC CICS START TRANSID('CMTT') AFTER HOURS(1)
                REQID('CMDSTR1') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START REQID'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS START TRANSID('CMTT') AFTER HOURS(1)
                REQID('CMDSTR1') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START SAME REQID IOERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==17==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'04'==.
           EXEC CICS CANCEL REQID('CMDSTR1') TRANSID('CMTT')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL TRANSID'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='CANCEL: EIBREQID'==
               ==:TEST:== BY ==EIBREQID = 'CMDSTR1' ==.
           EXEC CICS CANCEL REQID('CMDSTR1') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL NOTFND'== ==:FN:== BY ==X'100C'==
               ==:RESP:== BY ==13== ==:RESP2:== BY ==-1==
               ==:CODE:== BY ==X'81'==.
           EXEC CICS CANCEL REQID('CMDSTR1') SYSID('NOSY') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL SYSIDERR'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS START TRANSID('CMTT') SYSID('NOSY') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START SYSIDERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==53==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'D0'==.
           EXEC CICS CANCEL RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL NOTHING INVREQ'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'FF'==.
           EXEC CICS START TRANSID('CMTT') PROTECT REQID('CMDSTR2')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START PROTECT'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS CANCEL REQID('CMDSTR2') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL BEFORE SYNCPOINT'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'81'==.
           EXEC CICS START TRANSID('CMTT') PROTECT REQID('CMDSTR2')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START PROTECT AGAIN IOERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==17==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'04'==.
           EXEC CICS SYNCPOINT ROLLBACK RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SYNCPOINT ROLLBACK'==
               ==:FN:== BY ==X'1602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DELAY FOR MILLISECS(100) END-EXEC
           MOVE 60 TO LEN
           ADD 1 WANTED GIVING NUMBER-1
           EXEC CICS READQ TS QUEUE('CMDSTQ') INTO(ITEM-1) LENGTH(LEN)
                ITEM(NUMBER-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='NOT STARTED AFTER ROLLBACK'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==26==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'01'==.
           EXEC CICS START TRANSID('CMTT') PROTECT FROM(DATA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START PROTECT'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS SYNCPOINT RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SYNCPOINT'== ==:FN:== BY ==X'1602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==.
           ADD 1 TO WANTED
           MOVE 'PROTECTED START RUNS' TO CK-NAME
           PERFORM AWAIT-ITEM
           EXEC CICS START TRANSID('CMTT') PROTECT AFTER HOURS(1)
                REQID('CMDSTR3') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START PROTECT AFTER'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS SYNCPOINT END-EXEC
           EXEC CICS CANCEL REQID('CMDSTR3') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL AFTER SYNCPOINT'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'SECOND' TO DATA-1
           EXEC CICS START TRANSID('CMTT') INTERVAL(2) FROM(DATA-1)
                END-EXEC
           MOVE 'FIRST' TO DATA-1
           EXEC CICS START TRANSID('CMTT') INTERVAL(1) FROM(DATA-1)
                END-EXEC
           ADD 1 TO WANTED
           MOVE 'FIRST EXPIRES' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXPIRY ORDER: FIRST'==
               ==:TEST:== BY ==I-DATA = 'FIRST' ==.
           ADD 1 TO WANTED
           MOVE 'SECOND EXPIRES' TO CK-NAME
           PERFORM AWAIT-ITEM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXPIRY ORDER: SECOND'==
               ==:TEST:== BY ==I-DATA = 'SECOND' ==.
           EXEC CICS POST INTERVAL(1) SET(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='POST'== ==:FN:== BY ==X'1006'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF EVENT-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='POST: NOT POSTED YET'==
               ==:TEST:== BY ==EVENT-AREA = LOW-VALUES==.
           EXEC CICS CANCEL RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL OF THE POST'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS POST INTERVAL(0) SET(PTR-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='POST 0'== ==:FN:== BY ==X'1006'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF EVENT-AREA TO PTR-2
           EXEC CICS DELAY FOR MILLISECS(50) END-EXEC
           EXEC CICS CANCEL RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL: DELAY TOOK ITS PLACE'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'FF'==.
           EXEC CICS HANDLE ABEND LABEL(NO-BRIDGE) END-EXEC
           MOVE 'MISSED' TO SEEN
           EXEC CICS START BREXIT('DFHL3270') TRANSID('CMTT')
                BRDATA(DATA-1) BRDATALENGTH(20) END-EXEC
           MOVE 'CAME ON' TO SEEN.
       NO-BRIDGE.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START BREXIT IS REFUSED'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE = 'AEY9'
                 ==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       AWAIT-ITEM.
           ADD 1 TO CK-COUNT
           MOVE SPACES TO ITEM-1
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 400
           MOVE 60 TO LEN
           EXEC CICS READQ TS QUEUE('CMDSTQ') INTO(ITEM-1) LENGTH(LEN)
                ITEM(WANTED) NOHANDLE END-EXEC
           IF EIBRESP = 0 MOVE 999 TO CK-WAITS ELSE
           EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
           END-IF
           END-PERFORM
           IF EIBRESP NOT = 0 OR CK-WAITS < 999 PERFORM CHECK-FAULT
                END-IF.
       COPY CHKPROC.
