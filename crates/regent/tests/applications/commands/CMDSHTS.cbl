       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSHTS.
      * INQUIRE TSPOOL; INQUIRE and SET of queues of a shared pool;
      * INQUIRE and SET TEMPSTORAGE (TSMAINLIMIT is 1M).
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  POOL PIC X(8).
       01  QUEUE-NAME PIC X(16).
       01  MODEL PIC X(8).
       01  TRAN PIC X(4).
       01  C-1 PIC S9(8) COMP.
       01  C-2 PIC S9(8) COMP.
       01  N-1 PIC S9(4) COMP.
       01  N-2 PIC S9(4) COMP.
       01  N-3 PIC S9(4) COMP.
       01  F-1 PIC S9(8) COMP.
       01  D-1 PIC S9(18) COMP.
       01  D-2 PIC S9(18) COMP.
       01  FOUND PIC S9(4) COMP VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'NOPOOL' TO POOL
           EXEC CICS INQUIRE TSPOOL(POOL) CONNSTATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL NOTFND'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           MOVE 'CMDPOOL2' TO POOL
           EXEC CICS INQUIRE TSPOOL(POOL) CONNSTATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSPOOL IS UNCONNECTED'==
               ==:TEST:== BY ==C-1 = DFHVALUE(UNCONNECTED)==.
           EXEC CICS WRITEQ TS QUEUE('SHRTWO') FROM('SEVEN B')
                LENGTH(7)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITEQ TS SHARED'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WRITEQ TS QUEUE('SHRTWO') FROM('TWO')
                LENGTH(3)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITEQ TS SHARED 2'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           EXEC CICS INQUIRE TSPOOL(POOL) CONNSTATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL CONNECTED'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSPOOL IS CONNECTED'==
               ==:TEST:== BY ==C-1 = DFHVALUE(CONNECTED)==.
           MOVE 'SHRTWO' TO QUEUE-NAME
           EXEC CICS INQUIRE TSQNAME(QUEUE-NAME) POOLNAME(POOL)
                NUMITEMS(N-1) MAXITEMLEN(N-2) MINITEMLEN(N-3)
                FLENGTH(F-1) LOCATION(C-1) RECOVSTATUS(C-2)
                TSMODEL(MODEL) TRANSID(TRAN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME POOLNAME'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SHARED QUEUE: NUMBERS'==
               ==:TEST:== BY ==N-1 = 2 AND N-2 = 7 AND N-3 = 3
                 AND F-1 = 10==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SHARED QUEUE: STATES'==
               ==:TEST:== BY ==C-1 = DFHVALUE(AUXILIARY) AND
                 C-2 = DFHVALUE(NOTRECOVABLE)==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SHARED QUEUE: NAMES'==
               ==:TEST:== BY ==MODEL = 'CMDSHR2' AND TRAN = EIBTRNID==.
           EXEC CICS INQUIRE TSQNAME(QUEUE-NAME) NUMITEMS(N-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME LOCAL QIDERR'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE TSQNAME(QUEUE-NAME)
                POOLNAME('NOPOOL') NUMITEMS(N-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME POOLERR'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==114==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TSQNAME(QUEUE-NAME)
                SYSID('NONE') NUMITEMS(N-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME SYSID INVREQ'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE TSQNAME START POOLNAME(POOL)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME START'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE SPACES TO QUEUE-NAME
           EXEC CICS INQUIRE TSQNAME(QUEUE-NAME) NEXT NUMITEMS(N-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME NEXT'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BROWSE OF A POOL'==
               ==:TEST:== BY ==QUEUE-NAME = 'SHRTWO' AND N-1 = 2==.
           EXEC CICS INQUIRE TSQNAME(QUEUE-NAME) NEXT NUMITEMS(N-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME NEXT END'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS INQUIRE TSQNAME END
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME END OF BROWSE'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 'SHRTWO' TO QUEUE-NAME
           EXEC CICS SET TSQNAME(QUEUE-NAME) POOLNAME('NOPOOL')
                ACTION(DFHVALUE(DELETE))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME POOLERR'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==114==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET TSQNAME(QUEUE-NAME)
                ACTION(DFHVALUE(DELETE))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME LOCAL NOTFND'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET TSQNAME(QUEUE-NAME) POOLNAME(POOL)
                ACTION(DFHVALUE(OPEN))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME ACTION INVREQ'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS SET TSQNAME(QUEUE-NAME) POOLNAME(POOL)
                ACTION(DFHVALUE(DELETE)) LASTUSEDINT(-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME NEGATIVE INVREQ'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS SET TSQNAME(QUEUE-NAME) POOLNAME(POOL)
                ACTION(DFHVALUE(DELETE)) LASTUSEDINT(999)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME IN USE INVREQ'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET TSQNAME(QUEUE-NAME) POOLNAME(POOL)
                ACTION(DFHVALUE(DELETE))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME DELETE'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DELETEQ TS QUEUE('SHRTWO')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETEQ TS SHARED QIDERR'==
               ==:FN:== BY ==X'0A06'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TSPOOL START
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL START'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TSPOOL START
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL START ILLOGIC'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==21==
               ==:RESP2:== BY ==1==.
           MOVE 0 TO CK-RESP
           PERFORM UNTIL CK-RESP NOT = 0
               EXEC CICS INQUIRE TSPOOL(POOL) NEXT CONNSTATUS(C-1)
                    RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
               IF CK-RESP = 0 ADD 1 TO FOUND END-IF
           END-PERFORM
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL NEXT END'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='POOLS FOUND'==
               ==:TEST:== BY ==FOUND = 2==.
           EXEC CICS INQUIRE TSPOOL END
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSPOOL END'==
               ==:FN:== BY ==X'801A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TEMPSTORAGE TSMAINLIMIT(D-1)
                TSMAININUSE(D-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TEMPSTORAGE'==
               ==:FN:== BY ==X'8032'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSMAINLIMIT'==
               ==:TEST:== BY ==D-1 = 1048576 AND D-2 < D-1==.
           SUBTRACT 1 FROM D-1
           EXEC CICS SET TEMPSTORAGE TSMAINLIMIT(D-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TEMPSTORAGE INVREQ'==
               ==:FN:== BY ==X'8034'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
