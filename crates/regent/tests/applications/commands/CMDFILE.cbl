       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDFILE.
      * READ, WRITE, REWRITE, DELETE and UNLOCK: normal paths and the
      * conditions of file control, with EIBRCODE, EIBRSRCE and EIBDS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  REC PIC X(240).
       01  REC-PARTS REDEFINES REC.
           05  REC-KEY PIC X(8).
           05  REC-OTHER PIC X(4).
           05  REC-REST PIC X(228).
       01  KEY8 PIC X(8).
       01  KEY4 PIC X(4).
       01  LEN PIC S9(4) COMP.
       01  KLEN PIC S9(4) COMP.
       01  NUMBER-GONE PIC S9(4) COMP.
       01  TOK PIC S9(8) COMP.
       01  RBA-1 PIC S9(8) COMP.
       01  RBA-2 PIC S9(8) COMP.
       01  RRN-1 PIC S9(8) COMP.
       01  PTR POINTER.
       LINKAGE SECTION.
       01  LK-REC PIC X(80).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE SPACES TO REC
           MOVE 'AAAA0001' TO REC-KEY
           MOVE 'ALFA' TO REC-OTHER
           MOVE 'REST' TO REC-REST
           MOVE 'AAAA0001' TO KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE AAAA0001'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'AAAA0002' TO REC-KEY
           MOVE 'BETA' TO REC-OTHER
           MOVE 'REST' TO REC-REST
           MOVE 'AAAA0002' TO KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE AAAA0002'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'BBBB0001' TO REC-KEY
           MOVE 'ALFA' TO REC-OTHER
           MOVE 'REST' TO REC-REST
           MOVE 'BBBB0001' TO KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE BBBB0001'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'BBBB0002' TO REC-KEY
           MOVE 'GAMA' TO REC-OTHER
           MOVE 'REST' TO REC-REST
           MOVE 'BBBB0002' TO KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE BBBB0002'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'CCCC0001' TO REC-KEY
           MOVE 'DELT' TO REC-OTHER
           MOVE 'REST' TO REC-REST
           MOVE 'CCCC0001' TO KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE CCCC0001'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE DUPREC'== ==:FN:== BY ==X'0604'==
               ==:RESP:== BY ==14== ==:RESP2:== BY ==150==
               ==:CODE:== BY ==X'82'==.
           MOVE 'DDDD0001' TO REC-KEY KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(79)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE SHORT LENGERR'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==14== ==:CODE:== BY ==X'E1'==.
           MOVE 7 TO KLEN
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) KEYLENGTH(KLEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE INVREQ'== ==:FN:== BY ==X'0604'==
               ==:RESP:== BY ==16== ==:RESP2:== BY ==26==
               ==:CODE:== BY ==X'08'==.
           EXEC CICS WRITE FILE('VARIES') FROM(REC) LENGTH(201)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE VARIES 201 LENGERR'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==12== ==:CODE:== BY ==X'E1'==.
           EXEC CICS WRITE FILE('NOWHERE') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE FILENOTFOUND'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS WRITE FILE('NOTHING') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOTHING' TO WANT-RESOURCE
           MOVE 'NOTHING' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE NOTHING INVREQ'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           EXEC CICS WRITE FILE('OFF') FROM(REC) LENGTH(80) RIDFLD(KEY8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'OFF' TO WANT-RESOURCE
           MOVE 'OFF' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE OFF DISABLED'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==84==
               ==:RESP2:== BY ==50== ==:CODE:== BY ==X'0D'==.
           EXEC CICS WRITE FILE('SHUT') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'SHUT' TO WANT-RESOURCE
           MOVE 'SHUT' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE SHUT NOTOPEN'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==19==
               ==:RESP2:== BY ==60== ==:CODE:== BY ==X'0C'==.
           EXEC CICS WRITE FILE('ABSENT') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'ABSENT' TO WANT-RESOURCE
           MOVE 'ABSENT' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE ABSENT NOTOPEN'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==19==
               ==:RESP2:== BY ==60== ==:CODE:== BY ==X'0C'==.
           MOVE 'AAAA0002' TO KEY8
           MOVE SPACES TO REC
           MOVE 80 TO LEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ DATA'==
               ==:TEST:== BY ==REC-KEY = 'AAAA0002' AND REC-OTHER =
                 'BETA' AND LEN = 80==.
           EXEC CICS READ FILE('FIXED') SET(PTR) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ SET'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-REC TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ SET DATA'==
               ==:TEST:== BY ==LK-REC (1:8) = 'AAAA0002' AND LEN = 80==.
           EXEC CICS READ FILE('FIXED') INTO(REC) RIDFLD(KEY8) EQUAL
                LENGTH(LEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ EQUAL'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'AAAA0003' TO KEY8
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ NOTFND'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==13== ==:RESP2:== BY ==80==
               ==:CODE:== BY ==X'81'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) GTEQ RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ GTEQ'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ GTEQ DATA'==
               ==:TEST:== BY ==REC-KEY = 'BBBB0001'==.
           MOVE 'ZZZZ' TO KEY8
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) GTEQ RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ GTEQ NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'BBBB' TO KEY8
           MOVE 4 TO KLEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) KEYLENGTH(KLEN) GENERIC RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ GENERIC'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ GENERIC DATA'==
               ==:TEST:== BY ==REC-KEY = 'BBBB0001'==.
           MOVE 'BBBX' TO KEY8
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) KEYLENGTH(KLEN) GENERIC RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ GENERIC NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 8 TO KLEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) KEYLENGTH(KLEN) GENERIC RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ GENERIC 8 INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==25== ==:CODE:== BY ==X'08'==.
           MOVE 7 TO KLEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) KEYLENGTH(KLEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ KEYLENGTH 7 INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==26== ==:CODE:== BY ==X'08'==.
           MOVE -1 TO KLEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) KEYLENGTH(KLEN) GENERIC RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ GENERIC -1 INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==42== ==:CODE:== BY ==X'08'==.
           MOVE 'AAAA0001' TO KEY8
           MOVE 100 TO LEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ LENGTH 100 LENGERR'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==13== ==:CODE:== BY ==X'E1'==.
           EXEC CICS READ FILE('NOWHERE') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ FILENOTFOUND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS READ FILE('NOTHING') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOTHING' TO WANT-RESOURCE
           MOVE 'NOTHING' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ NOTHING INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           EXEC CICS READ FILE('OFF') INTO(REC) LENGTH(LEN) RIDFLD(KEY8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'OFF' TO WANT-RESOURCE
           MOVE 'OFF' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ OFF DISABLED'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==84==
               ==:RESP2:== BY ==50== ==:CODE:== BY ==X'0D'==.
           EXEC CICS READ FILE('SHUT') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'SHUT' TO WANT-RESOURCE
           MOVE 'SHUT' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ SHUT NOTOPEN'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==19==
               ==:RESP2:== BY ==60== ==:CODE:== BY ==X'0C'==.
           MOVE 80 TO LEN
           EXEC CICS READ FILE('READER') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'READER' TO WANT-RESOURCE
           MOVE 'READER' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE READER INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           EXEC CICS READ FILE('READER') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'READER' TO WANT-RESOURCE
           MOVE 'READER' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ READER'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) CONSISTENT RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ CONSISTENT INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==52== ==:CODE:== BY ==X'08'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) REPEATABLE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ REPEATABLE INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==53== ==:CODE:== BY ==X'08'==.
           MOVE ALL 'V' TO REC
           MOVE 'VVVV0001' TO REC-KEY KEY8
           EXEC CICS WRITE FILE('VARIES') FROM(REC) LENGTH(120)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE VARIES 120'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 100 TO LEN
           EXEC CICS READ FILE('VARIES') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ VARIES 100 LENGERR'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==11== ==:CODE:== BY ==X'E1'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ TRUNCATED'==
               ==:TEST:== BY ==LEN = 120 AND REC (100:1) = 'V' AND REC
                 (101:1) = SPACE==.
           MOVE 240 TO LEN
           EXEC CICS READ FILE('VARIES') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ VARIES 240'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ VARIES LENGTH'==
               ==:TEST:== BY ==LEN = 120 AND REC (120:1) = 'V'==.
           MOVE 'ALFA' TO KEY4
           MOVE 80 TO LEN
           EXEC CICS READ FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH DUPKEY'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==15==
               ==:RESP2:== BY ==140== ==:CODE:== BY ==X'84'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ PATH DATA'==
               ==:TEST:== BY ==REC-KEY = 'AAAA0001'==.
           MOVE 'GAMA' TO KEY4
           EXEC CICS READ FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ PATH UNIQUE'==
               ==:TEST:== BY ==REC-KEY = 'BBBB0002'==.
           MOVE 'NONE' TO KEY4
           EXEC CICS READ FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           EXEC CICS REWRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE INVREQ'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==30== ==:CODE:== BY ==X'08'==.
           EXEC CICS REWRITE FILE('NOWHERE') FROM(REC) LENGTH(80)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE FILENOTFOUND'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS REWRITE FILE('READER') FROM(REC) LENGTH(80)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'READER' TO WANT-RESOURCE
           MOVE 'READER' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE READER INVREQ'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           MOVE 12345 TO TOK
           EXEC CICS REWRITE FILE('FIXED') FROM(REC) LENGTH(80)
                TOKEN(TOK) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE TOKEN INVREQ'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==47== ==:CODE:== BY ==X'08'==.
           EXEC CICS UNLOCK FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK NONE'== ==:FN:== BY ==X'060A'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS UNLOCK FILE('NOWHERE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK FILENOTFOUND'==
               ==:FN:== BY ==X'060A'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS UNLOCK FILE('FIXED') TOKEN(TOK) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK TOKEN INVREQ'==
               ==:FN:== BY ==X'060A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==47== ==:CODE:== BY ==X'08'==.
           MOVE 'AAAA0001' TO KEY8
           MOVE 80 TO LEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE AGAIN INVREQ'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==28== ==:CODE:== BY ==X'08'==.
           MOVE 'CHANGED' TO REC-REST
           EXEC CICS REWRITE FILE('FIXED') FROM(REC) LENGTH(79)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE SHORT LENGERR'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==14== ==:CODE:== BY ==X'E1'==.
           EXEC CICS UNLOCK FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='UNLOCK'== ==:FN:== BY ==X'060A'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS REWRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE AFTER UNLOCK INVREQ'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==30== ==:CODE:== BY ==X'08'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE TOKEN(TOK) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE TOKEN'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'CHANGED' TO REC-REST
           EXEC CICS REWRITE FILE('FIXED') FROM(REC) LENGTH(80)
                TOKEN(TOK) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE TOKEN'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='REWRITE DATA'==
               ==:TEST:== BY ==REC-REST (1:7) = 'CHANGED'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'OMEG' TO REC-OTHER
           EXEC CICS REWRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE ALTERNATE'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'OMEG' TO KEY4
           EXEC CICS READ FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ PATH AFTER REWRITE'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PATH FOLLOWS'==
               ==:TEST:== BY ==REC-KEY = 'AAAA0001'==.
           MOVE 'VVVV0001' TO KEY8
           MOVE 240 TO LEN
           EXEC CICS READ FILE('VARIES') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE VARIES'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS REWRITE FILE('VARIES') FROM(REC) LENGTH(201)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE VARIES 201 LENGERR'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==12== ==:CODE:== BY ==X'E1'==.
           EXEC CICS UNLOCK FILE('VARIES') RESP(CK-RESP) END-EXEC
           EXEC CICS READ FILE('VARIES') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) END-EXEC
           EXEC CICS REWRITE FILE('VARIES') FROM(REC) LENGTH(150)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='REWRITE VARIES 150'==
               ==:FN:== BY ==X'0606'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 240 TO LEN
           EXEC CICS READ FILE('VARIES') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'VARIES' TO WANT-RESOURCE
           MOVE 'VARIES' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ VARIES AGAIN'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='REWRITE LENGTH'==
               ==:TEST:== BY ==LEN = 150==.
           EXEC CICS DELETE FILE('NOWHERE') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE FILENOTFOUND'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS DELETE FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE NO RIDFLD INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==31== ==:CODE:== BY ==X'08'==.
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE NOTFND'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           EXEC CICS DELETE FILE('READER') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'READER' TO WANT-RESOURCE
           MOVE 'READER' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE READER INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           EXEC CICS DELETE FILE('FIXED') TOKEN(TOK) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE TOKEN INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==47== ==:CODE:== BY ==X'08'==.
           EXEC CICS DELETE FILE('OFF') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'OFF' TO WANT-RESOURCE
           MOVE 'OFF' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE OFF DISABLED'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==84==
               ==:RESP2:== BY ==50== ==:CODE:== BY ==X'0D'==.
           EXEC CICS DELETE FILE('SHUT') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'SHUT' TO WANT-RESOURCE
           MOVE 'SHUT' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE SHUT NOTOPEN'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==19==
               ==:RESP2:== BY ==60== ==:CODE:== BY ==X'0C'==.
           MOVE 7 TO KLEN
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE 7 INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==26== ==:CODE:== BY ==X'08'==.
           MOVE 8 TO KLEN
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE GENERIC 8 INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==25== ==:CODE:== BY ==X'08'==.
           MOVE -1 TO KLEN
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE GENERIC -1 INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==42== ==:CODE:== BY ==X'08'==.
           MOVE 'CCCC0001' TO KEY8
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE RIDFLD'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'BBBB0002' TO KEY8
           MOVE 80 TO LEN
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) UPDATE RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ UPDATE'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE AFTER UPDATE'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ DELETED NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'AAAA' TO KEY8
           MOVE 4 TO KLEN
           MOVE 99 TO NUMBER-GONE
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC NUMREC(NUMBER-GONE) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE GENERIC'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DELETE NUMREC'==
               ==:TEST:== BY ==NUMBER-GONE = 2==.
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC NUMREC(NUMBER-GONE) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE GENERIC NONE NOTFND'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'BBBB0001' TO KEY8
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE LAST'== ==:FN:== BY ==X'0608'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE ALL 'E' TO REC
           MOVE 70 TO LEN
           EXEC CICS WRITE FILE('ENTRY') FROM(REC) LENGTH(LEN)
                RIDFLD(RBA-1) RBA RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'ENTRY' TO WANT-RESOURCE
           MOVE 'ENTRY' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE ESDS'== ==:FN:== BY ==X'0604'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE ALL 'F' TO REC
           EXEC CICS WRITE FILE('ENTRY') FROM(REC) LENGTH(LEN)
                RIDFLD(RBA-2) RBA RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'ENTRY' TO WANT-RESOURCE
           MOVE 'ENTRY' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE ESDS SECOND'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ESDS RBA'==
               ==:TEST:== BY ==RBA-1 = 0 AND RBA-2 = 70==.
           MOVE 240 TO LEN
           EXEC CICS READ FILE('ENTRY') INTO(REC) LENGTH(LEN)
                RIDFLD(RBA-1) RBA RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'ENTRY' TO WANT-RESOURCE
           MOVE 'ENTRY' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ ESDS'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READ ESDS DATA'==
               ==:TEST:== BY ==REC (1:1) = 'E' AND LEN = 70==.
           EXEC CICS DELETE FILE('ENTRY') RIDFLD(RBA-1) RBA
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'ENTRY' TO WANT-RESOURCE
           MOVE 'ENTRY' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE ESDS INVREQ'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==21== ==:CODE:== BY ==X'08'==.
           MOVE ALL 'N' TO REC
           MOVE 3 TO RRN-1
           EXEC CICS WRITE FILE('NUMBERED') FROM(REC) LENGTH(80)
                RIDFLD(RRN-1) RRN RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NUMBERED' TO WANT-RESOURCE
           MOVE 'NUMBERED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE RRDS'== ==:FN:== BY ==X'0604'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS WRITE FILE('NUMBERED') FROM(REC) LENGTH(80)
                RIDFLD(RRN-1) RRN RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NUMBERED' TO WANT-RESOURCE
           MOVE 'NUMBERED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE RRDS DUPREC'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==14==
               ==:RESP2:== BY ==150== ==:CODE:== BY ==X'82'==.
           MOVE 80 TO LEN
           EXEC CICS READ FILE('NUMBERED') INTO(REC) LENGTH(LEN)
                RIDFLD(RRN-1) RRN RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NUMBERED' TO WANT-RESOURCE
           MOVE 'NUMBERED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ RRDS'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE FILE('NUMBERED') RIDFLD(RRN-1) RRN
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NUMBERED' TO WANT-RESOURCE
           MOVE 'NUMBERED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE RRDS'== ==:FN:== BY ==X'0608'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS READ FILE('NUMBERED') INTO(REC) LENGTH(LEN)
                RIDFLD(RRN-1) RRN RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NUMBERED' TO WANT-RESOURCE
           MOVE 'NUMBERED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ RRDS NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
