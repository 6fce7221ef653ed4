       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDBRWS.
      * STARTBR, READNEXT, READPREV, RESETBR and ENDBR.
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
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE SPACES TO REC
           MOVE 'AAAA0001' TO REC-KEY KEY8
           MOVE 'ALFA' TO REC-OTHER
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE AAAA0001'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'AAAA0002' TO REC-KEY KEY8
           MOVE 'BETA' TO REC-OTHER
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE AAAA0002'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'BBBB0001' TO REC-KEY KEY8
           MOVE 'ALFA' TO REC-OTHER
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE BBBB0001'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO REC
           MOVE 'BBBB0002' TO REC-KEY KEY8
           MOVE 'GAMA' TO REC-OTHER
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE BBBB0002'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 80 TO LEN
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT INVREQ'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==34== ==:CODE:== BY ==X'08'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV INVREQ'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==41== ==:CODE:== BY ==X'08'==.
           EXEC CICS RESETBR FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR INVREQ'==
               ==:FN:== BY ==X'0614'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==36== ==:CODE:== BY ==X'08'==.
           EXEC CICS ENDBR FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR INVREQ'== ==:FN:== BY ==X'0612'==
               ==:RESP:== BY ==16== ==:RESP2:== BY ==35==
               ==:CODE:== BY ==X'08'==.
           EXEC CICS STARTBR FILE('NOWHERE') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR FILENOTFOUND'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS READNEXT FILE('NOWHERE') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT FILENOTFOUND'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS READPREV FILE('NOWHERE') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV FILENOTFOUND'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS RESETBR FILE('NOWHERE') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR FILENOTFOUND'==
               ==:FN:== BY ==X'0614'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS ENDBR FILE('NOWHERE') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           MOVE 'NOWHERE' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR FILENOTFOUND'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==12==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS STARTBR FILE('NOTHING') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOTHING' TO WANT-RESOURCE
           MOVE 'NOTHING' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR NOTHING INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==20== ==:CODE:== BY ==X'08'==.
           EXEC CICS STARTBR FILE('OFF') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'OFF' TO WANT-RESOURCE
           MOVE 'OFF' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR OFF DISABLED'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==84==
               ==:RESP2:== BY ==50== ==:CODE:== BY ==X'0D'==.
           EXEC CICS STARTBR FILE('SHUT') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'SHUT' TO WANT-RESOURCE
           MOVE 'SHUT' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR SHUT NOTOPEN'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==19==
               ==:RESP2:== BY ==60== ==:CODE:== BY ==X'0C'==.
           MOVE 7 TO KLEN
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR 7 INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==26== ==:CODE:== BY ==X'08'==.
           MOVE 8 TO KLEN
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR GENERIC 8 INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==25== ==:CODE:== BY ==X'08'==.
           MOVE -1 TO KLEN
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR GENERIC -1 INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==42== ==:CODE:== BY ==X'08'==.
           MOVE 'ZZZZ' TO KEY8
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR NOTFND'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'AAAA0003' TO KEY8
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) EQUAL
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR EQUAL NOTFND'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE LOW-VALUES TO KEY8
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) GTEQ
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR'== ==:FN:== BY ==X'060C'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR TWICE INVREQ'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==33== ==:CODE:== BY ==X'08'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT AAAA0'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT DATA AAAA0001'==
               ==:TEST:== BY ==KEY8 = 'AAAA0001' AND REC-KEY =
                 'AAAA0001'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT AAAA0'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT DATA AAAA0002'==
               ==:TEST:== BY ==KEY8 = 'AAAA0002' AND REC-KEY =
                 'AAAA0002'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT BBBB0'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT DATA BBBB0001'==
               ==:TEST:== BY ==KEY8 = 'BBBB0001' AND REC-KEY =
                 'BBBB0001'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT BBBB0'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT DATA BBBB0002'==
               ==:TEST:== BY ==KEY8 = 'BBBB0002' AND REC-KEY =
                 'BBBB0002'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT ENDFILE'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           MOVE 'BBBB0001' TO KEY8
           EXEC CICS RESETBR FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR'== ==:FN:== BY ==X'0614'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT RESET'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT RESET DATA'==
               ==:TEST:== BY ==KEY8 = 'BBBB0001'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV SAME'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV SAME DATA'==
               ==:TEST:== BY ==KEY8 = 'BBBB0001'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV AAAA0'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV DATA AAAA0002'==
               ==:TEST:== BY ==KEY8 = 'AAAA0002'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV AAAA0'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV DATA AAAA0001'==
               ==:TEST:== BY ==KEY8 = 'AAAA0001'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV ENDFILE'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==20==
               ==:RESP2:== BY ==90== ==:CODE:== BY ==X'0F'==.
           MOVE 'ZZZZ' TO KEY8
           EXEC CICS RESETBR FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RESETBR NOTFND'==
               ==:FN:== BY ==X'0614'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           MOVE 'AAAA0001' TO KEY8
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) REQID(2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR REQID 2'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) REQID(2) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT REQID 2'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='REQID 2 DATA'==
               ==:TEST:== BY ==KEY8 = 'AAAA0001'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) REQID(3) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT REQID 3 INVREQ'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==34== ==:CODE:== BY ==X'08'==.
           EXEC CICS ENDBR FILE('FIXED') REQID(2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR REQID 2'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS ENDBR FILE('FIXED') REQID(2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR REQID 2 INVREQ'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==35== ==:CODE:== BY ==X'08'==.
           EXEC CICS ENDBR FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR'== ==:FN:== BY ==X'0612'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'BBBB' TO KEY8
           MOVE 4 TO KLEN
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(KLEN)
                GENERIC RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR GENERIC'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV GENERIC INVREQ'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==24== ==:CODE:== BY ==X'08'==.
           EXEC CICS READNEXT FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT GENERIC'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READNEXT GENERIC DATA'==
               ==:TEST:== BY ==KEY8 = 'BBBB0001'==.
           EXEC CICS ENDBR FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR GENERIC'==
               ==:FN:== BY ==X'0612'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE HIGH-VALUES TO KEY8
           EXEC CICS STARTBR FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR AT THE END'==
               ==:FN:== BY ==X'060C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV LAST'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READPREV LAST DATA'==
               ==:TEST:== BY ==KEY8 = 'BBBB0002'==.
           MOVE 100 TO LEN
           EXEC CICS READPREV FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READPREV 100 LENGERR'==
               ==:FN:== BY ==X'0610'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==13== ==:CODE:== BY ==X'E1'==.
           EXEC CICS ENDBR FILE('FIXED') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR'== ==:FN:== BY ==X'0612'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'ALFA' TO KEY4
           MOVE 80 TO LEN
           EXEC CICS STARTBR FILE('FIXPATH') RIDFLD(KEY4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='STARTBR PATH'== ==:FN:== BY ==X'060C'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS READNEXT FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH 1 DUPKEY'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==15==
               ==:RESP2:== BY ==140== ==:CODE:== BY ==X'84'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PATH DATA 1'==
               ==:TEST:== BY ==KEY4 = 'ALFA' AND REC-KEY = 'AAAA0001'==.
           EXEC CICS READNEXT FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH 2'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PATH DATA 2'==
               ==:TEST:== BY ==KEY4 = 'ALFA' AND REC-KEY = 'BBBB0001'==.
           EXEC CICS READNEXT FILE('FIXPATH') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY4) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READNEXT PATH 3'==
               ==:FN:== BY ==X'060E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PATH DATA 3'==
               ==:TEST:== BY ==KEY4 = 'BETA'==.
           EXEC CICS ENDBR FILE('FIXPATH') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE 'FIXPATH' TO WANT-RESOURCE
           MOVE 'FIXPATH' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENDBR PATH'== ==:FN:== BY ==X'0612'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS SYNCPOINT RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SYNCPOINT'== ==:FN:== BY ==X'1602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'RRRR0001' TO REC-KEY KEY8
           EXEC CICS WRITE FILE('FIXED') FROM(REC) LENGTH(80)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE RECOVERABLE'==
               ==:FN:== BY ==X'0604'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'AAAA0001' TO KEY8
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE RECOVERABLE'==
               ==:FN:== BY ==X'0608'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS SYNCPOINT ROLLBACK RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SYNCPOINT ROLLBACK'==
               ==:FN:== BY ==X'1602'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ DELETED'== ==:FN:== BY ==X'0602'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'RRRR0001' TO KEY8
           EXEC CICS READ FILE('FIXED') INTO(REC) LENGTH(LEN)
                RIDFLD(KEY8) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'FIXED' TO WANT-RESOURCE
           MOVE 'FIXED' TO WANT-FILE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READ BACKED OUT NOTFND'==
               ==:FN:== BY ==X'0602'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==80== ==:CODE:== BY ==X'81'==.
           EXEC CICS DELETE FILE('FIXED') RIDFLD(KEY8) KEYLENGTH(0)
                GENERIC RESP(CK-RESP) END-EXEC
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
