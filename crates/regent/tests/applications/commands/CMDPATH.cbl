       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDPATH.
      * File control over paths with unique and other keys, over an
      * alternate index itself, over CICS-maintained and user-maintained
      * data tables: each command, and the conditions it raises.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  REC PIC X(240).
       01  REC-PARTS REDEFINES REC.
           05  REC-KEY PIC X(8).
           05  REC-ALT PIC X(4).
           05  REC-DUP PIC X(1).
           05  REC-REST PIC X(227).
       01  REC-INDEX REDEFINES REC.
           05  INDEX-FLAG PIC X(2).
           05  INDEX-COUNT PIC S9(4) COMP.
           05  INDEX-LENGTH PIC X.
           05  INDEX-KEY PIC X(4).
           05  INDEX-POINTER PIC X(8).
           05  FILLER PIC X(223).
       01  TABLE-FILE PIC X(8).
       01  KEY8 PIC X(8).
       01  ALT4 PIC X(4).
       01  DUP1 PIC X.
       01  LEN PIC S9(4) COMP.
       01  TOK PIC S9(8) COMP.
       01  RBA-1 PIC S9(8) COMP VALUE 0.
       01  XRBA-1 PIC S9(18) COMP VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE SPACES TO REC
           MOVE 'PATH0001U001DFIRST' TO REC
           MOVE 40 TO LEN
           MOVE 'PATH0001' TO KEY8
           EXEC CICS WRITE FILE('PATHED') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE PATH0001'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'PATH0002U002DFIRST' TO REC
           MOVE 40 TO LEN
           MOVE 'PATH0002' TO KEY8
           EXEC CICS WRITE FILE('PATHED') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE PATH0002'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'PATH0003U003DTHIRD' TO REC
           MOVE 40 TO LEN
           MOVE 'U003' TO ALT4
           EXEC CICS WRITE FILE('PATHUNI') FROM(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE THROUGH THE PATH'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'PATH0009U001DSAME' TO REC
           MOVE 40 TO LEN
           MOVE 'PATH0009' TO KEY8
           EXEC CICS WRITE FILE('PATHED') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE UNIQUE KEY DUPREC'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==14==
               ==:RESP2:== BY ==150== ==:CODE:== BY ==X'82'==.
           MOVE 'U004' TO ALT4
           MOVE SPACES TO REC
           MOVE 'PATH0004U005DOTHER' TO REC
           MOVE 40 TO LEN
           EXEC CICS WRITE FILE('PATHUNI') FROM(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE PATH OTHER KEY INVREQ'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==23== ==:CODE:== BY ==X'08'==.
           MOVE 'U002' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ PATH DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0002' AND LEN = 40==.
           MOVE 'U009' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'U0' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) GENERIC KEYLENGTH(2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH GENERIC'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ PATH GENERIC DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0001'==.
           MOVE 'U002' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) GTEQ RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH GTEQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ PATH GTEQ DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0002'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) GENERIC KEYLENGTH(4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH GENERIC 4 INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==25== ==:CODE:== BY ==X'08'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) KEYLENGTH(3) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH KEYLENGTH 3 INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==26== ==:CODE:== BY ==X'08'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(XRBA-1) XRBA RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH XRBA INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==59== ==:CODE:== BY ==X'08'==.
           MOVE 'U002' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH UPDATE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'U007' TO REC-ALT
           EXEC CICS REWRITE FILE('PATHUNI') FROM(REC) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE PATH KEY INVREQ'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==46== ==:CODE:== BY ==X'08'==.
           MOVE 'U002' TO REC-ALT
           MOVE 'CHANGED' TO REC-REST
           MOVE 50 TO LEN
           EXEC CICS REWRITE FILE('PATHUNI') FROM(REC) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE PATH'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'PATH0002' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ BASE CHANGED'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ BASE CHANGED DATA'==
               ==:TEST:== BY ==REC-REST (1:7) = 'CHANGED'
                 AND LEN = 50==.
           EXEC CICS REWRITE FILE('PATHUNI') FROM(REC) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE PATH NOT HELD'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==30== ==:CODE:== BY ==X'08'==.
           MOVE 'U003' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) UPDATE TOKEN(TOK) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH UPDATE TOKEN'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS UNLOCK FILE('PATHUNI') TOKEN(TOK) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK PATH TOKEN'==
               ==:FN:== BY ==X'060A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS UNLOCK FILE('PATHUNI') TOKEN(TOK) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK PATH TOKEN GONE'==
               ==:FN:== BY ==X'060A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==47== ==:CODE:== BY ==X'08'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH UPDATE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('PATHUNI')  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE PATH HELD'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'PATH0003' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ BASE DELETED'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           EXEC CICS DELETE FILE('PATHUNI') RIDFLD(ALT4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE PATH NOTFND'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE SPACES TO REC
           MOVE 'PATH0003U003DAGAIN' TO REC
           MOVE 40 TO LEN
           EXEC CICS WRITE FILE('PATHUNI') FROM(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE PATH AGAIN'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('PATHUNI') RIDFLD(ALT4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE PATH RIDFLD'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'U000' TO ALT4
           EXEC CICS STARTBR FILE('PATHUNI') RIDFLD(ALT4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR PATH'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS STARTBR FILE('PATHUNI') RIDFLD(ALT4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR PATH AGAIN INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==33== ==:CODE:== BY ==X'08'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT PATH DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0001'
                 AND ALT4 = 'U001'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH 2'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT PATH 2 DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0002'
                 AND ALT4 = 'U002'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH ENDFILE'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           MOVE 'U009' TO ALT4
           EXEC CICS RESETBR FILE('PATHUNI') RIDFLD(ALT4) EQUAL
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR PATH NOTFND'==
               ==:FN:== BY ==X'0614'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'U002' TO ALT4
           EXEC CICS RESETBR FILE('PATHUNI') RIDFLD(ALT4) EQUAL
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR PATH'==
               ==:FN:== BY ==X'0614'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH RESET'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT PATH RESET DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0002'==.
           MOVE 200 TO LEN
           EXEC CICS READPREV FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV PATH SAME'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV PATH SAME DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0002'==.
           MOVE 200 TO LEN
           EXEC CICS READPREV FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV PATH'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV PATH DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0001'==.
           MOVE 200 TO LEN
           EXEC CICS READPREV FILE('PATHUNI') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV PATH ENDFILE'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           EXEC CICS ENDBR FILE('PATHUNI')  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR PATH'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS ENDBR FILE('PATHUNI')  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHUNI' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR PATH INVREQ'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==35== ==:CODE:== BY ==X'08'==.
           MOVE 'D' TO DUP1
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHDUP') INTO(REC) LENGTH(LEN)
                RIDFLD(DUP1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHDUP' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH DUPKEY'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==15==
               ==:RESP2:== BY ==140== ==:CODE:== BY ==X'84'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ PATH DUPKEY DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0001'==.
           EXEC CICS STARTBR FILE('PATHDUP') RIDFLD(DUP1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHDUP' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR DUPLICATES'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHDUP') INTO(REC) LENGTH(LEN)
                RIDFLD(DUP1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHDUP' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT DUPKEY'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==15==
               ==:RESP2:== BY ==140== ==:CODE:== BY ==X'84'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHDUP') INTO(REC) LENGTH(LEN)
                RIDFLD(DUP1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHDUP' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT LAST OF THEM'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT LAST OF THEM DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0002'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHDUP') INTO(REC) LENGTH(LEN)
                RIDFLD(DUP1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHDUP' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT DUP ENDFILE'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           EXEC CICS ENDBR FILE('PATHDUP')  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHDUP' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR DUPLICATES'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'U002' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHIDX') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ INDEX'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ INDEX DATA'==
               ==:TEST:== BY ==INDEX-FLAG = X'0008' AND INDEX-COUNT = 1
                 AND INDEX-POINTER = 'PATH0002'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ INDEX KEY'==
               ==:TEST:== BY ==INDEX-KEY = 'U002' AND LEN = 17==.
           MOVE 'U009' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHIDX') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ INDEX NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'U002' TO ALT4
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHIDX') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ INDEX UPDATE INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           MOVE 'U000' TO ALT4
           EXEC CICS STARTBR FILE('PATHIDX') RIDFLD(ALT4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR INDEX'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHIDX') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT INDEX'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT INDEX DATA'==
               ==:TEST:== BY ==INDEX-POINTER = 'PATH0001'
                 AND ALT4 = 'U001'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHIDX') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT INDEX 2'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE('PATHIDX') INTO(REC) LENGTH(LEN)
                RIDFLD(ALT4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT INDEX ENDFILE'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           EXEC CICS ENDBR FILE('PATHIDX')  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHIDX' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR INDEX'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS SYNCPOINT END-EXEC
           MOVE 'CICSTAB' TO TABLE-FILE
           PERFORM DATA-TABLE-CHECKS
           MOVE 'PATH0006' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SOURCE OF CMT'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('CICSTAB') INTO(REC) LENGTH(LEN)
                RIDFLD(RBA-1) RBA RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'CICSTAB' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ CMT RBA'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ CMT RBA DATA'==
               ==:TEST:== BY ==REC-KEY = 'PATH0001'==.
           EXEC CICS DELETE FILE('CICSTAB') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CICSTAB' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE CMT'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('CICSTAB') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CICSTAB' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE CMT NOTFND'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SOURCE OF CMT DELETED'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'PATH0001' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('CICSTAB') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'CICSTAB' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ CMT TO SET BACK'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 40 TO LEN
           EXEC CICS REWRITE FILE('CICSTAB') FROM(REC) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CICSTAB' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE CMT BACK'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS SYNCPOINT END-EXEC
      * The table is loaded from its open on.
           PERFORM WITH TEST AFTER VARYING CK-WAITS FROM 1 BY 1
               UNTIL CK-RESP NOT = DFHRESP(LOADING) OR CK-WAITS > 500
               MOVE 200 TO LEN
               EXEC CICS READ FILE('USERTB2') INTO(REC) LENGTH(LEN)
                    RIDFLD(KEY8) GTEQ RESP(CK-RESP) END-EXEC
               IF CK-RESP = DFHRESP(LOADING)
                   EXEC CICS DELAY FOR MILLISECS(10) NOHANDLE END-EXEC
               END-IF
           END-PERFORM
           MOVE 'USERTB2' TO TABLE-FILE
           PERFORM DATA-TABLE-CHECKS
           MOVE 'PATH0006' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('PATHED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'PATHED' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SOURCE OF UMT'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('USERTB2') INTO(REC) LENGTH(LEN)
                RIDFLD(RBA-1) RBA RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UMT RBA INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==44== ==:CODE:== BY ==X'08'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('USERTB2') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE GTEQ RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UMT UPDATE GTEQ INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==44== ==:CODE:== BY ==X'08'==.
           EXEC CICS STARTBR FILE('USERTB2') RIDFLD(RBA-1) RBA
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR UMT RBA INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==44== ==:CODE:== BY ==X'08'==.
           MOVE SPACES TO REC
           MOVE 'PATH0007U007EMASS' TO REC
           MOVE 40 TO LEN
           MOVE 'PATH0007' TO KEY8
           EXEC CICS WRITE FILE('USERTB2') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) MASSINSERT RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE UMT MASSINSERT INVREQ'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==44== ==:CODE:== BY ==X'08'==.
           EXEC CICS WRITE FILE('USERTB2') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE UMT 4'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'PATH0008U008EFULL' TO REC
           MOVE 40 TO LEN
           MOVE 'PATH0008' TO KEY8
           EXEC CICS WRITE FILE('USERTB2') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE UMT NOSPACE'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==18==
               ==:RESP2:== BY ==102== ==:CODE:== BY ==X'83'==.
           MOVE 'PATH0007' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE('USERTB2') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UMT UPDATE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('USERTB2')  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE UMT HELD'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('USERTB2') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE UMT NOTFND'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'PATH0007' TO KEY8
           MOVE SPACES TO REC
           MOVE 'PATH0007U007EAGAIN' TO REC
           MOVE 40 TO LEN
           EXEC CICS WRITE FILE('USERTB2') FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'USERTB2' TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE UMT AGAIN'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
      * What both kinds of data table answer alike.
       DATA-TABLE-CHECKS.
           MOVE 'PATH0001' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ TABLE DATA'==
               ==:TEST:== BY ==REC-ALT = 'U001' AND LEN = 40==.
           MOVE 'PATH' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) GENERIC KEYLENGTH(4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE GENERIC'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'PATH0000' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) GTEQ RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE GTEQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'PATH0008' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) KEYLENGTH(3) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE KEYLENGTH INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==26== ==:CODE:== BY ==X'08'==.
           MOVE 'PATH0001' TO KEY8
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE UPDATE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE UPDATE 2 INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==28== ==:CODE:== BY ==X'08'==.
           EXEC CICS UNLOCK FILE(TABLE-FILE)  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK TABLE'==
               ==:FN:== BY ==X'060A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS REWRITE FILE(TABLE-FILE) FROM(REC) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE TABLE INVREQ'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==30== ==:CODE:== BY ==X'08'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE UPDATE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'TBL' TO REC-REST
           MOVE 60 TO LEN
           EXEC CICS REWRITE FILE(TABLE-FILE) FROM(REC) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE TABLE'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           MOVE SPACES TO REC
           EXEC CICS READ FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ TABLE REWRITTEN'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ TABLE REWRITTEN DATA'==
               ==:TEST:== BY ==REC-REST (1:3) = 'TBL' AND LEN = 60==.
           MOVE SPACES TO REC
           MOVE 'PATH0006U006EADDED' TO REC
           MOVE 40 TO LEN
           MOVE 'PATH0006' TO KEY8
           EXEC CICS WRITE FILE(TABLE-FILE) FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE TABLE'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS WRITE FILE(TABLE-FILE) FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE TABLE DUPREC'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==14==
               ==:RESP2:== BY ==150== ==:CODE:== BY ==X'82'==.
           MOVE 201 TO LEN
           EXEC CICS WRITE FILE(TABLE-FILE) FROM(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE TABLE LENGERR'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==12== ==:CODE:== BY ==X'E1'==.
           MOVE 'PATH0000' TO KEY8
           EXEC CICS STARTBR FILE(TABLE-FILE) RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR TABLE'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT TABLE'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT TABLE DATA'==
               ==:TEST:== BY ==KEY8 = 'PATH0001'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT TABLE 2'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READPREV FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV TABLE'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV TABLE DATA'==
               ==:TEST:== BY ==KEY8 = 'PATH0002'==.
           MOVE 'PATH0006' TO KEY8
           EXEC CICS RESETBR FILE(TABLE-FILE) RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR TABLE'==
               ==:FN:== BY ==X'0614'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT TABLE RESET'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 200 TO LEN
           EXEC CICS READNEXT FILE(TABLE-FILE) INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT TABLE ENDFILE'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           EXEC CICS ENDBR FILE(TABLE-FILE)  RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TABLE-FILE TO WANT-RESOURCE WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR TABLE'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           CONTINUE.
       COPY CHKPROC.
