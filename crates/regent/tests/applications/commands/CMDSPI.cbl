       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSPI.
      * INQUIRE, SET and DISCARD of what the other programs of this
      * directory do not name.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  DURATION-1 PIC S9(8) COMP VALUE -1.
       01  C-1 PIC S9(8) COMP.
       01  C-2 PIC S9(8) COMP.
       01  C-3 PIC S9(8) COMP.
       01  C-4 PIC S9(8) COMP.
       01  H-1 PIC S9(4) COMP.
       01  H-2 PIC S9(4) COMP.
       01  H-3 PIC S9(4) COMP.
       01  T-1 PIC S9(7) COMP-3.
       01  PTR-1 POINTER.
       01  TEXT-1 PIC X(10).
       01  NAME-4 PIC X(4).
       01  NAME-8 PIC X(8).
       01  UOW-1 PIC X(8).
       01  UOW-2 PIC X(8).
       01  RES-1 PIC X(255).
       01  STREAM-1 PIC X(26).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS INQUIRE TRANCLASS('CMDTCL') MAXACTIVE(C-1)
                PURGETHRESH(C-2) ACTIVE(C-3) QUEUED(C-4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANCLASS'==
               ==:FN:== BY ==X'5E1A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANCLASS: VALUES'==
               ==:TEST:== BY ==C-1 = 7 AND C-3 = 0 AND C-4 = 0==.
           EXEC CICS INQUIRE TRANCLASS('NOWHERE') MAXACTIVE(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANCLASS TCIDERR'==
               ==:FN:== BY ==X'5E1A'== ==:RESP:== BY ==92==
               ==:RESP2:== BY ==1==.
           MOVE 9 TO C-1
           EXEC CICS SET TRANCLASS('CMDTCL') MAXACTIVE(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TRANCLASS'==
               ==:FN:== BY ==X'5E1C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TRANCLASS('CMDTCL') MAXACTIVE(C-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANCLASS: MAXACTIVE SET'==
               ==:TEST:== BY ==C-2 = 9==.
           MOVE 1000 TO C-1
           EXEC CICS SET TRANCLASS('CMDTCL') MAXACTIVE(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TRANCLASS MAXACTIVE INVREQ'==
               ==:FN:== BY ==X'5E1C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS SET TRANCLASS('NOWHERE') MAXACTIVE(C-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TRANCLASS TCIDERR'==
               ==:FN:== BY ==X'5E1C'== ==:RESP:== BY ==92==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE DISPATCHER MAXOPENTCBS(C-1)
                PRTYAGING(C-2) RUNAWAY(C-3) SUBTASKS(C-4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE DISPATCHER'==
               ==:FN:== BY ==X'B602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DISPATCHER: VALUES'==
               ==:TEST:== BY ==C-1 > 0 AND C-2 = 1000 AND C-3 =
                 2000==.
           MOVE 2000 TO C-2
           EXEC CICS SET DISPATCHER PRTYAGING(C-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET DISPATCHER'==
               ==:FN:== BY ==X'B604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE DISPATCHER PRTYAGING(C-3) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DISPATCHER: PRTYAGING SET'==
               ==:TEST:== BY ==C-3 = 2000==.
           MOVE 1000 TO C-2
           EXEC CICS SET DISPATCHER PRTYAGING(C-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE SYSTEM MAXTASKS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           ADD 1 TO C-1
           EXEC CICS SET SYSTEM MAXTASKS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET SYSTEM'==
               ==:FN:== BY ==X'5404'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE SYSTEM MAXTASKS(C-2) STARTUP(C-3)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SYSTEM: MAXTASKS SET'==
               ==:TEST:== BY ==C-2 = C-1 AND C-3 =
                 DFHVALUE(COLDSTART)==.
           SUBTRACT 1 FROM C-1
           EXEC CICS SET SYSTEM MAXTASKS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE TASK LIST LISTSIZE(C-1) SET(PTR-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TASK LIST'==
               ==:FN:== BY ==X'5E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TASK LIST: THIS ONE AT LEAST'==
               ==:TEST:== BY ==C-1 > 0==.
           MOVE 'ABCDEFGHIJ' TO TEXT-1
           EXEC CICS WRITEQ TS QUEUE('CMDSPIQ') FROM(TEXT-1)
                LENGTH(10) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS WRITEQ TS QUEUE('CMDSPIQ') FROM(TEXT-1)
                LENGTH(4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE TSQUEUE('CMDSPIQ') NUMITEMS(H-1)
                MINITEMLEN(H-2) MAXITEMLEN(H-3) LOCATION(C-1)
                RECOVSTATUS(C-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQUEUE'==
               ==:FN:== BY ==X'8002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSQUEUE: VALUES'==
               ==:TEST:== BY ==H-1 = 2 AND H-3 NOT < H-2 AND C-1 =
                 DFHVALUE(AUXILIARY) AND C-2 =
                 DFHVALUE(NOTRECOVABLE)==.
           EXEC CICS INQUIRE TSQUEUE('NOSUCHQ') NUMITEMS(H-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQUEUE QIDERR'==
               ==:FN:== BY ==X'8002'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE TSQNAME('CMDSPIQ') NUMITEMS(H-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSQNAME'==
               ==:FN:== BY ==X'8012'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET TSQUEUE('NOSUCHQ') DELETE RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQUEUE NOTFND'==
               ==:FN:== BY ==X'8004'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET TSQUEUE('CMDSPIQ') DELETE RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQUEUE DELETE'==
               ==:FN:== BY ==X'8004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS READQ TS QUEUE('CMDSPIQ') INTO(TEXT-1)
                LENGTH(H-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSQUEUE: DELETED'==
               ==:TEST:== BY ==CK-RESP = 44==.
           EXEC CICS SET TSQNAME('CMDSPIQ') DELETE RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TSQNAME NOTFND'==
               ==:FN:== BY ==X'8014'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE TDQUEUE('CMDT') TYPE(C-1) NUMITEMS(C-2)
                ENABLESTATUS(C-3) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TDQUEUE'==
               ==:FN:== BY ==X'5C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TDQUEUE: VALUES'==
               ==:TEST:== BY ==C-1 = DFHVALUE(INTRA) AND C-3 =
                 DFHVALUE(ENABLED)==.
           EXEC CICS INQUIRE TDQUEUE('NONE') TYPE(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TDQUEUE QIDERR'==
               ==:FN:== BY ==X'5C02'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==1==.
           EXEC CICS DISCARD TDQUEUE('NONE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD TDQUEUE QIDERR'==
               ==:FN:== BY ==X'5C10'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==1==.
           EXEC CICS ENQ RESOURCE('CMDSPIRES') LENGTH(9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOW START RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           EXEC CICS INQUIRE UOW(UOW-1) NEXT UOWSTATE(C-1)
                WAITSTATE(C-2) TRANSID(NAME-4) TASKID(T-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOW NEXT'==
               ==:FN:== BY ==X'9002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           PERFORM UNTIL CK-RESP NOT = 0 OR NAME-4 = EIBTRNID
           EXEC CICS INQUIRE UOW(UOW-1) NEXT UOWSTATE(C-1)
                WAITSTATE(C-2) TRANSID(NAME-4) TASKID(T-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='UOW: STATE, TASK'==
               ==:TEST:== BY ==C-1 = DFHVALUE(INFLIGHT) AND C-2 =
                 DFHVALUE(ACTIVE) AND T-1 = EIBTASKN==.
           EXEC CICS INQUIRE UOW END RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           EXEC CICS DELAY FOR MILLISECS(1100) END-EXEC
           EXEC CICS INQUIRE UOWENQ START UOW(UOW-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWENQ NEXT UOW(UOW-2) RESOURCE(RES-1)
                RESLEN(H-1) TYPE(C-1) RELATION(C-2) STATE(C-3)
                DURATION(DURATION-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOWENQ NEXT'==
               ==:FN:== BY ==X'9022'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='UOWENQ: THE ENQUEUE'==
               ==:TEST:== BY ==RES-1 (1:9) = 'CMDSPIRES' AND H-1 = 9
                 AND C-1 = DFHVALUE(EXECENQ) AND C-2 =
                 DFHVALUE(OWNER) AND C-3 = DFHVALUE(ACTIVE)==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='UOWENQ: SECONDS IT IS OWNED'==
               ==:TEST:== BY ==DURATION-1 > 0 AND DURATION-1 < 10==.
           EXEC CICS INQUIRE UOWENQ NEXT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOWENQ END'==
               ==:FN:== BY ==X'9022'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS INQUIRE UOWENQ END RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 9 TO H-1
           EXEC CICS INQUIRE UOWENQ START RESOURCE(RES-1) RESLEN(H-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWENQ NEXT UOW(UOW-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='UOWENQ: BY RESOURCE'==
               ==:TEST:== BY ==CK-RESP = 0 AND UOW-2 = UOW-1==.
           EXEC CICS INQUIRE UOWENQ END RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           EXEC CICS INQUIRE UOWENQ NEXT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOWENQ ILLOGIC'==
               ==:FN:== BY ==X'9022'== ==:RESP:== BY ==21==
               ==:RESP2:== BY ==1==.
           MOVE LOW-VALUES TO UOW-2
           EXEC CICS INQUIRE UOW(UOW-2) UOWSTATE(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOW UOWNOTFOUND'==
               ==:FN:== BY ==X'9002'== ==:RESP:== BY ==102==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET UOW(UOW-2) COMMIT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET UOW UOWNOTFOUND'==
               ==:FN:== BY ==X'9004'== ==:RESP:== BY ==102==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE UOWLINK START RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWLINK NEXT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOWLINK END'==
               ==:FN:== BY ==X'9042'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS INQUIRE UOWLINK END RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWDSNFAIL START RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWDSNFAIL NEXT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE UOWDSNFAIL END'==
               ==:FN:== BY ==X'9062'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS INQUIRE UOWDSNFAIL END RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE JOURNALMODEL('CMDJM')
                JOURNALNAME(NAME-8) TYPE(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE JOURNALMODEL'==
               ==:FN:== BY ==X'9202'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='JOURNALMODEL: VALUES'==
               ==:TEST:== BY ==NAME-8 = 'CMDSPI' AND C-1 =
                 DFHVALUE(DUMMY)==.
           EXEC CICS INQUIRE JOURNALNAME('DFHLOG') STATUS(C-1)
                TYPE(C-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE JOURNALNAME DFHLOG'==
               ==:FN:== BY ==X'6012'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DFHLOG: VALUES'==
               ==:TEST:== BY ==C-1 = DFHVALUE(ENABLED) AND C-2 =
                 DFHVALUE(MVS)==.
           EXEC CICS SET JOURNALNAME('CMDSPI') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET JOURNALNAME MAKES IT'==
               ==:FN:== BY ==X'6014'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE JOURNALNAME('CMDSPI') TYPE(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='JOURNALNAME: BY ITS MODEL'==
               ==:TEST:== BY ==C-1 = DFHVALUE(DUMMY)==.
           EXEC CICS SET JOURNALNAME('DFHLOG') DISABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET JOURNALNAME DFHLOG'==
               ==:FN:== BY ==X'6014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS DISCARD JOURNALNAME('DFHLOG') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD JOURNALNAME DFHLOG'==
               ==:FN:== BY ==X'6010'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS DISCARD JOURNALNAME('CMDSPI') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD JOURNALNAME'==
               ==:FN:== BY ==X'6010'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE JOURNALNAME('CMDSPI') TYPE(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE JOURNALNAME JIDERR'==
               ==:FN:== BY ==X'6012'== ==:RESP:== BY ==43==
               ==:RESP2:== BY ==1==.
           EXEC CICS DISCARD JOURNALMODEL('CMDJM') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD JOURNALMODEL'==
               ==:FN:== BY ==X'9210'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DISCARD JOURNALMODEL('CMDJM') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD JOURNALMODEL NOTFND'==
               ==:FN:== BY ==X'9210'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE JOURNALMODEL('CMDJM') TYPE(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE JOURNALMODEL NOTFND'==
               ==:FN:== BY ==X'9202'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE STREAMNAME START RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE STREAMNAME(STREAM-1) NEXT SYSTEMLOG(C-1)
                STATUS(C-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE STREAMNAME NEXT'==
               ==:FN:== BY ==X'9212'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='STREAMNAME: THE SYSTEM LOG'==
               ==:TEST:== BY ==STREAM-1 = 'CICSUSER.COMMANDS.DFHLOG'
                 AND C-1 = DFHVALUE(SYSLOG) AND C-2 = DFHVALUE(OK)==.
           EXEC CICS INQUIRE STREAMNAME END RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOSUCH.STREAM' TO STREAM-1
           EXEC CICS INQUIRE STREAMNAME(STREAM-1) STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE STREAMNAME NOTFND'==
               ==:FN:== BY ==X'9212'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE TSMODEL('CMDTSM') PREFIX(RES-1)
                LOCATION(C-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSMODEL'==
               ==:FN:== BY ==X'8022'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSMODEL: VALUES'==
               ==:TEST:== BY ==RES-1 (1:7) = 'CMDMAIN' AND C-1 =
                 DFHVALUE(MAIN)==.
           EXEC CICS DISCARD TSMODEL('CMDTSM') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD TSMODEL'==
               ==:FN:== BY ==X'8030'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TSMODEL('CMDTSM') LOCATION(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TSMODEL NOTFND'==
               ==:FN:== BY ==X'8022'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS DISCARD FILE('CMDSPARE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD FILE'==
               ==:FN:== BY ==X'4C10'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE FILE('CMDSPARE') OPENSTATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FILE: DISCARDED'==
               ==:TEST:== BY ==CK-RESP = 12 AND CK-RESP2 = 1==.
           EXEC CICS DISCARD FILE('CMDSPARE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD FILE FILENOTFOUND'==
               ==:FN:== BY ==X'4C10'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==18==.
           EXEC CICS ASSIGN NETNAME(NAME-8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE NETNAME(NAME-8) TERMINAL(NAME-4)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE NETNAME'==
               ==:FN:== BY ==X'5216'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='NETNAME: THE TERMINAL'==
               ==:TEST:== BY ==NAME-4 = EIBTRMID==.
           EXEC CICS SET TERMINAL(EIBTRMID) NOATI RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TERMINAL'==
               ==:FN:== BY ==X'5204'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TERMINAL(EIBTRMID) ATISTATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TERMINAL: NOATI'==
               ==:TEST:== BY ==C-1 = DFHVALUE(NOATI)==.
           EXEC CICS SET TERMINAL(EIBTRMID) ATI RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS SET TERMINAL('NONE') ATI RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TERMINAL TERMIDERR'==
               ==:FN:== BY ==X'5204'== ==:RESP:== BY ==11==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET DSNAME('CMD.FIXED') AVAILABLE RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET DSNAME'==
               ==:FN:== BY ==X'7A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
