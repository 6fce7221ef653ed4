       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDINQU.
      * INQUIRE and SET PROGRAM and TRANSACTION, every option that has
      * a meaning in a region; browses; EIBRCODE of these commands.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  C-1 PIC S9(8) COMP.
       01  C-2 PIC S9(8) COMP.
       01  C-3 PIC S9(8) COMP.
       01  C-4 PIC S9(8) COMP.
       01  C-5 PIC S9(8) COMP.
       01  C-6 PIC S9(8) COMP.
       01  T-1 PIC S9(15) COMP-3.
       01  T-2 PIC S9(15) COMP-3.
       01  T-3 PIC S9(15) COMP-3.
       01  NAME-1 PIC X(8).
       01  NAME-2 PIC X(8).
       01  NAME-3 PIC X(8).
       01  NAME-4 PIC X(4).
       01  LAST-NAME PIC X(8).
       01  LAST-4 PIC X(4).
       01  FOUND PIC S9(4) COMP VALUE 0.
       01  ORDERED PIC X VALUE 'Y'.
       01  PTR POINTER.
       01  RES PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'NOWHERE' TO NAME-1
           EXEC CICS INQUIRE PROGRAM(NAME-1) STATUS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM PGMIDERR'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EIBRCODE: FIRST WORD IS RESP'==
               ==:TEST:== BY ==EIBRCODE = X'0000001B0000' ==.
           MOVE 'CMDINQU' TO NAME-1
           EXEC CICS INQUIRE PROGRAM(NAME-1) STATUS(C-1) PROGTYPE(C-2)
                CONCURRENCY(C-3) RESCOUNT(C-4) LANGUAGE(C-5)
                RUNTIME(C-6) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM: STATUS AND TYPE'==
               ==:TEST:== BY ==C-1 = DFHVALUE(ENABLED) AND C-2 =
                 DFHVALUE(PROGRAM) AND C-3 = DFHVALUE(QUASIRENT)==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM: COUNT, LANGUAGE'==
               ==:TEST:== BY ==C-4 = 1 AND C-5 = DFHVALUE(NOTDEFINED)
                 AND C-6 = DFHVALUE(LE370)==.
           EXEC CICS INQUIRE PROGRAM(NAME-1) DEFINESOURCE(NAME-2)
                INSTALLAGENT(C-1) CHANGEAGENT(C-2) CHANGEAGREL(RES)
                INSTALLUSRID(NAME-3) INSTALLTIME(T-1) DEFINETIME(T-2)
                CHANGETIME(T-3) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM SIGNATURE'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SIGNATURE: SOURCE AND AGENTS'==
               ==:TEST:== BY ==NAME-2 = 'COMMANDS' AND C-1 =
                 DFHVALUE(GRPLIST) AND C-2 = DFHVALUE(CSDBATCH) AND RES
                 = '0720' ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SIGNATURE: USER AND TIMES'==
               ==:TEST:== BY ==NAME-3 = 'CICSUSER' AND T-1 >
                 3900000000000 AND T-1 >= T-2 AND T-2 >= T-3==.
           EXEC CICS INQUIRE PROGRAM(NAME-1) APIST(C-1) CEDFSTATUS(C-2)
                EXECKEY(C-3) EXECUTIONSET(C-4) DYNAMSTATUS(C-5)
                SHARESTATUS(C-6) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM STATES'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM: API, CEDF, KEY'==
               ==:TEST:== BY ==C-1 = DFHVALUE(CICSAPI) AND C-2 =
                 DFHVALUE(CEDF) AND C-3 = DFHVALUE(USEREXECKEY)==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM: SET, DYNAMIC, SHARE'==
               ==:TEST:== BY ==C-4 = DFHVALUE(FULLAPI) AND C-5 =
                 DFHVALUE(NOTDYNAMIC) AND C-6 = DFHVALUE(PRIVATE)==.
           MOVE 'CMDGONE' TO NAME-1
           EXEC CICS INQUIRE PROGRAM(NAME-1) LENGTH(C-1) ENTRYPOINT(PTR)
                RUNTIME(C-2) HOLDSTATUS(C-3) COPY(C-4) REPLICATION(C-5)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM NOT LOADED'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PROGRAM NOT LOADED'==
               ==:TEST:== BY ==C-1 = 0 AND C-2 = DFHVALUE(UNKNOWN) AND
                 C-4 = DFHVALUE(REQUIRED) AND C-5 =
                 DFHVALUE(NOREPLICATOR)==.
           MOVE 'CMDSUBX' TO NAME-1
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET PROGRAM(NAME-1) STATUS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM STATUS INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET PROGRAM(NAME-1) SHARESTATUS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM SHARESTATUS INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET PROGRAM(NAME-1) COPY(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM COPY INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==5==.
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET PROGRAM(NAME-1) CEDFSTATUS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM CEDFSTATUS INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==9==.
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET PROGRAM(NAME-1) EXECUTIONSET(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM EXECUTIONSET INVRE'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20==.
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET PROGRAM(NAME-1) RUNTIME(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM RUNTIME INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==22==.
           EXEC CICS SET PROGRAM(NAME-1) NOCEDF DPLSUBSET PRIVATE NOJVM
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM'== ==:FN:== BY ==X'4E04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE PROGRAM(NAME-1) CEDFSTATUS(C-1)
                EXECUTIONSET(C-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE AFTER SET'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SET PROGRAM TOOK EFFECT'==
               ==:TEST:== BY ==C-1 = DFHVALUE(NOCEDF) AND C-2 =
                 DFHVALUE(DPLSUBSET)==.
           EXEC CICS SET PROGRAM(NAME-1) CEDF FULLAPI RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM BACK'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET PROGRAM(NAME-1) NEWCOPY RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM NEWCOPY'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS LOAD PROGRAM(NAME-1) HOLD SET(PTR) END-EXEC
           EXEC CICS INQUIRE PROGRAM(NAME-1) HOLDSTATUS(C-1)
                RESCOUNT(C-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE LOADED'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='LOAD HOLD: HOLDSTATUS'==
               ==:TEST:== BY ==C-1 = DFHVALUE(HOLD) AND C-2 = 1==.
           EXEC CICS SET PROGRAM(NAME-1) PHASEIN RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PHASEIN HELD INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==6==.
           EXEC CICS RELEASE PROGRAM(NAME-1) END-EXEC
           MOVE 'CMDINQU' TO NAME-1
           EXEC CICS SET PROGRAM(NAME-1) NEWCOPY RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='NEWCOPY IN USE INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           MOVE 'DFHEMTP' TO NAME-1
           EXEC CICS SET PROGRAM(NAME-1) DISABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISABLE DFH INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           MOVE 'CMDSET' TO NAME-1
           EXEC CICS SET PROGRAM(NAME-1) NOCEDF RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET MAPSET CEDF INVREQ'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==18==.
           MOVE 'NOWHERE' TO NAME-1
           EXEC CICS SET PROGRAM(NAME-1) ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM PGMIDERR'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==7==.
           MOVE 'CMDGONE' TO NAME-1
           EXEC CICS SET PROGRAM(NAME-1) NEWCOPY RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='NEWCOPY NOT THERE PGMIDERR'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==8==.
           MOVE 'CMDSUBX' TO NAME-1
           EXEC CICS SET PROGRAM(NAME-1) DISABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM DISABLED'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS LINK PROGRAM(NAME-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK DISABLED PGMIDERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'01'==.
           EXEC CICS SET PROGRAM(NAME-1) ENABLED END-EXEC
           EXEC CICS INQUIRE PROGRAM(NAME-1) NEXT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='NEXT WITHOUT START ILLOGIC'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==21==
               ==:RESP2:== BY ==1==.
           EXEC CICS INQUIRE PROGRAM END RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='END WITHOUT START ILLOGIC'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==21==
               ==:RESP2:== BY ==1==.
           MOVE 'CMDF' TO NAME-2
           EXEC CICS INQUIRE PROGRAM START AT(NAME-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM START AT'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE PROGRAM START RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='START AGAIN ILLOGIC'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==21==
               ==:RESP2:== BY ==1==.
           MOVE LOW-VALUES TO LAST-NAME
           MOVE 0 TO CK-RESP
           PERFORM UNTIL CK-RESP NOT = 0
           EXEC CICS INQUIRE PROGRAM(NAME-1) NEXT STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           IF CK-RESP = 0 ADD 1 TO FOUND
           IF NAME-1 NOT > LAST-NAME OR NAME-1 < 'CMDF' MOVE 'N' TO
                ORDERED END-IF
           MOVE NAME-1 TO LAST-NAME END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BROWSE: ALPHABETICAL TO END'==
               ==:TEST:== BY ==CK-RESP = 83 AND CK-RESP2 = 2 AND FOUND >
                 10 AND ORDERED = 'Y' ==.
           EXEC CICS INQUIRE PROGRAM END RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE PROGRAM END'==
               ==:FN:== BY ==X'4E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 'NONE' TO NAME-4
           EXEC CICS INQUIRE TRANSACTION(NAME-4) STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION TRANSIDERR'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==28==
               ==:RESP2:== BY ==1==.
           MOVE 'CMRS' TO NAME-4
           EXEC CICS INQUIRE TRANSACTION(NAME-4) STATUS(C-1)
                PROGRAM(NAME-1) PRIORITY(C-2) PURGEABILITY(C-3)
                TWASIZE(C-4) TASKDATALOC(C-5) TASKDATAKEY(C-6)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANSACTION: NUMBERS'==
               ==:TEST:== BY ==C-1 = DFHVALUE(ENABLED) AND NAME-1 =
                 'CMDREST' AND C-2 = 1 AND C-4 = 0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANSACTION: TASK DATA'==
               ==:TEST:== BY ==C-5 = DFHVALUE(BELOW) AND C-6 =
                 DFHVALUE(USERDATAKEY)==.
           EXEC CICS INQUIRE TRANSACTION(NAME-4) DEFINESOURCE(NAME-2)
                INSTALLAGENT(C-1) INSTALLTIME(T-1) DUMPING(C-2)
                SHUTDOWN(C-3) RUNAWAYTYPE(C-4) ISOLATEST(C-5)
                ROUTING(C-6) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='TRANSACTION SIGNATURE'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANSACTION: SOURCE'==
               ==:TEST:== BY ==NAME-2 = 'COMMANDS' AND C-1 =
                 DFHVALUE(GRPLIST) AND T-1 > 0 AND C-2 =
                 DFHVALUE(TRANDUMP)==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TRANSACTION: STATES'==
               ==:TEST:== BY ==C-3 = DFHVALUE(SHUTDISABLED) AND C-4 =
                 DFHVALUE(SYSTEM) AND C-5 = DFHVALUE(ISOLATE) AND C-6 =
                 DFHVALUE(STATIC)==.
           MOVE 7 TO C-1
           EXEC CICS SET TRANSACTION(NAME-4) PRIORITY(C-1) NOTRANDUMP
                SHUTENABLED PURGEABLE SPRSTRACE RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TRANSACTION'==
               ==:FN:== BY ==X'5004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE TRANSACTION(NAME-4) PRIORITY(C-1)
                DUMPING(C-2) SHUTDOWN(C-3) PURGEABILITY(C-4)
                TRACING(C-5) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE AFTER SET'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SET TRANSACTION TOOK EFFECT'==
               ==:TEST:== BY ==C-1 = 7 AND C-2 = DFHVALUE(NOTRANDUMP)
                 AND C-3 = DFHVALUE(SHUTENABLED) AND C-4 =
                 DFHVALUE(PURGEABLE) AND C-5 = DFHVALUE(SPRSTRACE)==.
           MOVE 1 TO C-1
           EXEC CICS SET TRANSACTION(NAME-4) PRIORITY(C-1) TRANDUMP
                SHUTDISABLED STANTRACE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET TRANSACTION BACK'==
               ==:FN:== BY ==X'5004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 0 TO FOUND
           MOVE LOW-VALUES TO LAST-4
           MOVE 0 TO CK-RESP
           EXEC CICS INQUIRE TRANSACTION START RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION START'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 0 TO CK-RESP
           PERFORM UNTIL CK-RESP NOT = 0
           EXEC CICS INQUIRE TRANSACTION(NAME-4) NEXT RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           IF CK-RESP = 0 ADD 1 TO FOUND
           IF NAME-4 NOT > LAST-4 MOVE 'N' TO ORDERED END-IF
           MOVE NAME-4 TO LAST-4 END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BROWSE OF TRANSACTIONS'==
               ==:TEST:== BY ==CK-RESP = 83 AND CK-RESP2 = 2 AND FOUND >
                 10 AND ORDERED = 'Y' ==.
           EXEC CICS INQUIRE TRANSACTION END RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE TRANSACTION END'==
               ==:FN:== BY ==X'5002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE SYSTEM CDSASIZE(C-1) HEALTHCHECK(C-2)
                MAXTASKS(C-3) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE SYSTEM'==
               ==:FN:== BY ==X'5402'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SYSTEM: NULL VALUES'==
               ==:TEST:== BY ==C-1 = -1 AND C-2 = DFHVALUE(NOTAPPLIC)
                 AND C-3 > 0==.
           EXEC CICS INQUIRE RRMS OPENSTATUS(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE RRMS'==
               ==:FN:== BY ==X'3A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RRMS=NO'==
               ==:TEST:== BY ==C-1 = DFHVALUE(NOTAPPLIC)==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
