       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDTASK.
      * INQUIRE TASK and SET TASK; RETRIEVE WAIT; ADDRESS; SUSPEND and
      * CHANGE TASK; LOAD of a table with HOLD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  T-1 PIC S9(7) COMP-3.
       01  C-1 PIC S9(8) COMP.
       01  C-2 PIC S9(8) COMP.
       01  C-3 PIC S9(8) COMP.
       01  C-4 PIC S9(8) COMP.
       01  C-5 PIC S9(8) COMP.
       01  NAME-1 PIC X(8).
       01  NAME-2 PIC X(8).
       01  NAME-4 PIC X(4).
       01  NAME-5 PIC X(4).
       01  CODE-2 PIC X(2).
       01  PTR POINTER.
       01  PTR-2 POINTER.
       01  PTR-3 POINTER.
       01  PTR-4 POINTER.
       01  PTR-5 POINTER.
       01  NULL-1 POINTER.
       01  NULL-2 REDEFINES NULL-1 PIC X(4).
       01  ITEM-1 PIC X(20).
       01  LEN PIC S9(4) COMP.
       LINKAGE SECTION.
       01  LK-CWA PIC X(16).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS INQUIRE TASK(EIBTASKN) TRANSACTION(NAME-4)
                FACILITY(NAME-5) FACILITYTYPE(C-1) PROGRAM(NAME-1)
                CURRENTPROG(NAME-2) RUNSTATUS(C-2) STARTCODE(CODE-2)
                PRIORITY(C-3) TWASIZE(C-4) TCB(C-5) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TASK'== ==:FN:== BY ==X'5E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TASK: TRANSACTION, FACILITY'==
               ==:TEST:== BY ==NAME-4 = EIBTRNID AND NAME-5 = EIBTRMID
                 AND C-1 = DFHVALUE(TERM)==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TASK: PROGRAMS AND STATE'==
               ==:TEST:== BY ==NAME-1 = 'CMDTASK' AND NAME-2 = 'CMDTASK'
                 AND C-2 = DFHVALUE(RUNNING) AND CODE-2 = 'TO' ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TASK: TWA AND TCB'==
               ==:TEST:== BY ==C-4 = 0 AND C-5 = DFHVALUE(QR)==.
           MOVE 9999999 TO T-1
           EXEC CICS INQUIRE TASK(T-1) RUNSTATUS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TASK TASKIDERR'==
               ==:FN:== BY ==X'5E02'== ==:RESP:== BY ==91==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET TASK(T-1) PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TASK TASKIDERR'==
               ==:FN:== BY ==X'5E04'== ==:RESP:== BY ==91==
               ==:RESP2:== BY ==1==.
           MOVE 0 TO C-3
           EXEC CICS SET TASK(EIBTASKN) PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TASK PRIORITY 0'==
               ==:FN:== BY ==X'5E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 255 TO C-3
           EXEC CICS SET TASK(EIBTASKN) PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TASK PRIORITY 255'==
               ==:FN:== BY ==X'5E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 256 TO C-3
           EXEC CICS SET TASK(EIBTASKN) PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TASK PRIORITY 256'==
               ==:FN:== BY ==X'5E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           MOVE -1 TO C-3
           EXEC CICS SET TASK(EIBTASKN) PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TASK PRIORITY -1'==
               ==:FN:== BY ==X'5E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 7 TO C-3
           EXEC CICS SET TASK(EIBTASKN) PRIORITY(C-3) END-EXEC
           EXEC CICS INQUIRE TASK(EIBTASKN) PRIORITY(C-4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE AFTER SET'==
               ==:FN:== BY ==X'5E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SET TASK TOOK EFFECT'==
               ==:TEST:== BY ==C-4 = 7==.
           EXEC CICS SUSPEND RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SUSPEND'== ==:FN:== BY ==X'1208'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 3 TO C-3
           EXEC CICS CHANGE TASK PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='CHANGE TASK'== ==:FN:== BY ==X'5E06'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==.
           MOVE 256 TO C-3
           EXEC CICS CHANGE TASK PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='CHANGE TASK 256 INVREQ'==
               ==:FN:== BY ==X'5E06'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           MOVE -1 TO C-3
           EXEC CICS CHANGE TASK PRIORITY(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='CHANGE TASK -1'==
               ==:FN:== BY ==X'5E06'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ADDRESS EIB(PTR) CWA(PTR-2) TWA(PTR-3)
                COMMAREA(PTR-4) ACEE(PTR-5) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ADDRESS'== ==:FN:== BY ==X'0202'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE X'FF000000' TO NULL-2
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ADDRESS: AREAS'==
               ==:TEST:== BY ==PTR = ADDRESS OF DFHEIBLK AND PTR-2 NOT =
                 NULL-1 AND PTR-3 = NULL-1 AND PTR-4 = NULL-1 AND PTR-5
                 = NULL-1==.
           SET ADDRESS OF LK-CWA TO PTR-2
           MOVE 'COMMON AREA' TO LK-CWA
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ADDRESS: CWA IS OURS'==
               ==:TEST:== BY ==LK-CWA = 'COMMON AREA' ==.
           EXEC CICS DELETEQ TS QUEUE('CMDRWQ') NOHANDLE END-EXEC
           MOVE 'FIRST' TO ITEM-1
           EXEC CICS START TRANSID('CMRW') FROM(ITEM-1) END-EXEC
           MOVE SPACES TO ITEM-1
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 300
           MOVE 20 TO LEN
           EXEC CICS READQ TS QUEUE('CMDRWQ') INTO(ITEM-1) LENGTH(LEN)
                NEXT NOHANDLE END-EXEC
           IF EIBRESP = 0 MOVE 999 TO CK-WAITS ELSE
           EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
           END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RETRIEVE: FIRST'==
               ==:TEST:== BY ==ITEM-1 = 'FIRST' ==.
           MOVE SPACES TO ITEM-1
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 300
           MOVE 20 TO LEN
           EXEC CICS READQ TS QUEUE('CMDRWQ') INTO(ITEM-1) LENGTH(LEN)
                NEXT NOHANDLE END-EXEC
           IF EIBRESP = 0 MOVE 999 TO CK-WAITS ELSE
           EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
           END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RETRIEVE: ENDDATA'==
               ==:TEST:== BY ==ITEM-1 = 'ENDDATA' ==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
