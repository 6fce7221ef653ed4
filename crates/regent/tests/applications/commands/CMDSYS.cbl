       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSYS.
      * ASSIGN and ADDRESS; INQUIRE and SET of PROGRAM,
      * TRANSACTION, FILE and TASK.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  T-APPLID PIC X(8).
       01  ASK-8 PIC X(8).
       01  ASK-4 PIC X(4).
       01  T-PROGRAM PIC X(8).
       01  T-NAME4 PIC X(4).
       01  T-NAME8 PIC X(8).
       01  T-DSN PIC X(44).
       01  CODE-2 PIC X(2).
       01  HALF-1 PIC S9(4) COMP.
       01  HALF-2 PIC S9(4) COMP.
       01  HALF-3 PIC S9(4) COMP.
       01  CVDA-1 PIC S9(8) COMP.
       01  CVDA-2 PIC S9(8) COMP.
       01  CVDA-3 PIC S9(8) COMP.
       01  FULL-1 PIC S9(8) COMP.
       01  PTR POINTER.
       01  TASKN PIC S9(7) COMP-3.
       01  REC PIC X(80).
       01  KEY8 PIC X(8) VALUE LOW-VALUES.
       LINKAGE SECTION.
       01  LK-AREA PIC X(64).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ASSIGN APPLID(T-APPLID) PROGRAM(T-PROGRAM)
                STARTCODE(CODE-2) FACILITY(T-NAME4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASSIGN'== ==:FN:== BY ==X'0208'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN NAMES'==
               ==:TEST:== BY ==T-APPLID = 'COMMANDS' AND T-PROGRAM =
                 'CMDSYS' AND CODE-2 = 'TD' AND T-NAME4 = EIBTRMID==.
           EXEC CICS ASSIGN SCRNHT(HALF-1) SCRNWD(HALF-2)
                LINKLEVEL(HALF-3) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASSIGN SCREEN'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN SCREEN DATA'==
               ==:TEST:== BY ==HALF-1 = 24 AND HALF-2 = 80 AND HALF-3 =
                 1==.
           EXEC CICS ASSIGN CWALENG(HALF-1) TWALENG(HALF-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASSIGN LENGTHS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN LENGTHS DATA'==
               ==:TEST:== BY ==HALF-1 = 512 AND HALF-2 = 64==.
           EXEC CICS ASSIGN ABCODE(T-NAME4) INVOKINGPROG(T-NAME8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASSIGN ABCODE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN NOTHING TO SAY'==
               ==:TEST:== BY ==T-NAME4 = SPACES AND T-NAME8 = SPACES==.
           EXEC CICS ADDRESS TWA(PTR) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ADDRESS TWA'== ==:FN:== BY ==X'0202'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TWA IS ZEROS'==
               ==:TEST:== BY ==LK-AREA = LOW-VALUES==.
           EXEC CICS ADDRESS CWA(PTR) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ADDRESS CWA'== ==:FN:== BY ==X'0202'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='CWA IS THERE'==
               ==:TEST:== BY ==PTR NOT = NULL==.
           MOVE 'CMDSYS' TO ASK-8
           EXEC CICS INQUIRE PROGRAM(ASK-8) STATUS(CVDA-1)
                RESCOUNT(FULL-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM ENABLED'==
               ==:TEST:== BY ==CVDA-1 = 23 AND FULL-1 > 0==.
           MOVE 'NOWHERE' TO ASK-8
           EXEC CICS INQUIRE PROGRAM(ASK-8) STATUS(CVDA-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM NONE PGMIDERR'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET PROGRAM('CMDSUBX') STATUS(DFHVALUE(DISABLED))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET PROGRAM'== ==:FN:== BY ==X'4E04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'CMDSUBX' TO ASK-8
           EXEC CICS INQUIRE PROGRAM(ASK-8) STATUS(CVDA-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM DISABLED'==
               ==:TEST:== BY ==CVDA-1 = 24==.
           EXEC CICS LINK PROGRAM('CMDSUBX') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK DISABLED PGMIDERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'01'==.
           EXEC CICS SET PROGRAM('CMDSUBX') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET PROGRAM ENABLED'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE DFHVALUE(OPEN) TO CVDA-1
           EXEC CICS SET PROGRAM('CMDSUBX') STATUS(CVDA-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM CVDA INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET PROGRAM('NOWHERE') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM NONE PGMIDERR'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==-1==.
           MOVE 'CMSY' TO ASK-4
           EXEC CICS INQUIRE TRANSACTION(ASK-4) PROGRAM(T-NAME8)
                STATUS(CVDA-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANSACTION DATA'==
               ==:TEST:== BY ==T-NAME8 = 'CMDSYS' AND CVDA-1 = 23==.
           MOVE 'NONE' TO ASK-4
           EXEC CICS INQUIRE TRANSACTION(ASK-4) STATUS(CVDA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION NONE TRANS'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==28==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET TRANSACTION('CMRE') DISABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET TRANSACTION'==
               ==:FN:== BY ==X'5004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'CMRE' TO ASK-4
           EXEC CICS INQUIRE TRANSACTION(ASK-4) STATUS(CVDA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANSACTION DISABLED'==
               ==:TEST:== BY ==CVDA-1 = 24==.
           EXEC CICS SET TRANSACTION('CMRE') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET TRANSACTION'==
               ==:FN:== BY ==X'5004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS SET TRANSACTION('NONE') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TRANSACTION NONE TRANSIDER'==
               ==:FN:== BY ==X'5004'== ==:RESP:== BY ==28==
               ==:RESP2:== BY ==-1==.
           MOVE 'READER' TO ASK-8
           EXEC CICS INQUIRE FILE(ASK-8) ENABLESTATUS(CVDA-1)
                READ(CVDA-2) UPDATE(CVDA-3) DSNAME(T-DSN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE FILE'== ==:FN:== BY ==X'4C02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FILE DATA'==
               ==:TEST:== BY ==CVDA-1 = 23 AND CVDA-2 = 35 AND CVDA-3 =
                 38 AND T-DSN = 'CMD.FIXED'==.
           MOVE 'NOWHERE' TO ASK-8
           EXEC CICS INQUIRE FILE(ASK-8) ENABLESTATUS(CVDA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE FILE NONE FILENOTFOUND'==
               ==:FN:== BY ==X'4C02'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET FILE('NOWHERE') CLOSED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET FILE NONE FILENOTFOUND'==
               ==:FN:== BY ==X'4C04'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET FILE('READER') CLOSED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET FILE CLOSED'==
               ==:FN:== BY ==X'4C04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'READER' TO ASK-8
           EXEC CICS INQUIRE FILE(ASK-8) OPENSTATUS(CVDA-1)
                ENABLESTATUS(CVDA-2) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE FILE'== ==:FN:== BY ==X'4C02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FILE IS CLOSED'==
               ==:TEST:== BY ==CVDA-1 = 19 AND CVDA-2 = 33==.
           EXEC CICS READ FILE('READER') INTO(REC) RIDFLD(KEY8) GTEQ
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ CLOSED NOTOPEN'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==19==
               ==:RESP2:== BY ==60== ==:CODE:== BY ==X'0C'==.
           EXEC CICS SET FILE('READER') OPEN ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET FILE OPEN'==
               ==:FN:== BY ==X'4C04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'READER' TO ASK-8
           EXEC CICS INQUIRE FILE(ASK-8) OPENSTATUS(CVDA-1)
                ENABLESTATUS(CVDA-2) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE FILE'== ==:FN:== BY ==X'4C02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FILE IS OPEN'==
               ==:TEST:== BY ==CVDA-1 = 18 AND CVDA-2 = 23==.
           EXEC CICS SET FILE('READER') DISABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET FILE DISABLED'==
               ==:FN:== BY ==X'4C04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS READ FILE('READER') INTO(REC) RIDFLD(KEY8) GTEQ
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ DISABLED DISABLED'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==84==
               ==:RESP2:== BY ==50== ==:CODE:== BY ==X'0D'==.
           EXEC CICS SET FILE('READER') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SET FILE ENABLED'==
               ==:FN:== BY ==X'4C04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE EIBTASKN TO TASKN
           EXEC CICS INQUIRE TASK(TASKN) TRANSACTION(T-NAME4)
                STARTCODE(CODE-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INQUIRE TASK'== ==:FN:== BY ==X'5E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TASK DATA'==
               ==:TEST:== BY ==T-NAME4 = 'CMSY' AND CODE-2 (1:1) =
                 'T'==.
           MOVE 9999999 TO TASKN
           EXEC CICS INQUIRE TASK(TASKN) TRANSACTION(T-NAME4)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TASK NONE TASKIDERR'==
               ==:FN:== BY ==X'5E02'== ==:RESP:== BY ==91==
               ==:RESP2:== BY ==-1==.
           EXEC CICS SET TASK(TASKN) PRIORITY(5) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TASK NONE TASKIDERR'==
               ==:FN:== BY ==X'5E04'== ==:RESP:== BY ==91==
               ==:RESP2:== BY ==-1==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
