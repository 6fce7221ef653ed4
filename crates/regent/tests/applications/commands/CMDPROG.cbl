       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDPROG.
      * LINK, XCTL, RETURN, LOAD and RELEASE; GETMAIN and FREEMAIN;
      * ENQ and DEQ.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  AREA-1.
           05  A-FUNCTION PIC X(4).
           05  A-LENGTH PIC S9(8) COMP.
           05  A-RESP PIC S9(8) COMP.
           05  A-RESP2 PIC S9(8) COMP.
           05  A-TEXT PIC X(20).
           05  A-DATA PIC X(64).
       01  LEN PIC S9(4) COMP.
       01  DLEN PIC S9(4) COMP.
       01  FLEN PIC S9(8) COMP.
       01  PTR POINTER.
       01  PTR-2 POINTER.
       01  CVDA PIC S9(8) COMP.
       01  NAME255 PIC X(255) VALUE 'COMMANDS.RESOURCE'.
       01  IMAGE PIC X VALUE '*'.
       LINKAGE SECTION.
       01  LK-AREA PIC X(100).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'LINK' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDSUB' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='LINK DATA'==
               ==:TEST:== BY ==A-LENGTH = 100 AND A-TEXT (1:6) =
                 'CMDSUB' AND A-TEXT (9:7) = 'CMDPROG' AND A-RESP = 2==.
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1) LENGTH(60)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDSUB' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK LENGTH'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='LINK LENGTH DATA'==
               ==:TEST:== BY ==A-LENGTH = 60==.
           MOVE 'XCTL' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK TO XCTL'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='XCTL DATA'==
               ==:TEST:== BY ==A-TEXT = 'TRANSFERRED' AND A-LENGTH =
                 100==.
           EXEC CICS LINK PROGRAM('NOWHERE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK NOWHERE PGMIDERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS LINK PROGRAM('CMDOFF') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDOFF' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK DISABLED PGMIDERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'01'==.
           EXEC CICS LINK PROGRAM('CMDGONE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDGONE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK NOT IN LIBRARY PGMIDERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==3== ==:CODE:== BY ==X'01'==.
           MOVE -1 TO LEN
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK LENGTH -1 LENGERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==11== ==:CODE:== BY ==X'E1'==.
           EXEC CICS XCTL PROGRAM('NOWHERE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='XCTL NOWHERE PGMIDERR'==
               ==:FN:== BY ==X'0E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS XCTL PROGRAM('CMDOFF') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDOFF' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='XCTL DISABLED PGMIDERR'==
               ==:FN:== BY ==X'0E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'01'==.
           EXEC CICS XCTL PROGRAM('CMDGONE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDGONE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='XCTL NOT IN LIBRARY PGMIDERR'==
               ==:FN:== BY ==X'0E04'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==3== ==:CODE:== BY ==X'01'==.
           MOVE -1 TO LEN
           EXEC CICS XCTL PROGRAM('CMDSUB') COMMAREA(AREA-1) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='XCTL LENGTH -1 LENGERR'==
               ==:FN:== BY ==X'0E04'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==11== ==:CODE:== BY ==X'E1'==.
           MOVE 'LINK' TO A-FUNCTION
           MOVE 60 TO LEN
           MOVE 61 TO DLEN
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1) LENGTH(LEN)
                DATALENGTH(DLEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK DATALENGTH LENGERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==12== ==:CODE:== BY ==X'E1'==.
           EXEC CICS LINK PROGRAM('CMDSUB') CHANNEL('BAD NAME')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='LINK CHANNEL CHANNELERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==1==.
           MOVE 'RETN' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1)
                RESP(CK-RESP) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RETN BELOW THE TOP'==
               ==:TEST:== BY ==A-RESP = 16 AND A-RESP2 = 2==.
           MOVE 'RETC' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1)
                RESP(CK-RESP) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RETC BELOW THE TOP'==
               ==:TEST:== BY ==A-RESP = 16 AND A-RESP2 = 2==.
           EXEC CICS LOAD PROGRAM('CMDSUBX') SET(PTR) FLENGTH(FLEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDSUBX' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LOAD'== ==:FN:== BY ==X'0E06'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='LOAD LENGTH'==
               ==:TEST:== BY ==FLEN > 0==.
           EXEC CICS RELEASE PROGRAM('CMDSUBX') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDSUBX' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RELEASE'== ==:FN:== BY ==X'0E0A'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS RELEASE PROGRAM('CMDSUBX') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RELEASE AGAIN INVREQ'==
               ==:FN:== BY ==X'0E0A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'E0'==.
           EXEC CICS RELEASE PROGRAM('CMDPROG') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RELEASE SELF INVREQ'==
               ==:FN:== BY ==X'0E0A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==7== ==:CODE:== BY ==X'E0'==.
           EXEC CICS LOAD PROGRAM('NOWHERE') SET(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LOAD NOWHERE PGMIDERR'==
               ==:FN:== BY ==X'0E06'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS LOAD PROGRAM('CMDOFF') SET(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LOAD DISABLED PGMIDERR'==
               ==:FN:== BY ==X'0E06'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'01'==.
           EXEC CICS LOAD PROGRAM('CMDGONE') SET(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LOAD NOT IN LIBRARY PGMIDERR'==
               ==:FN:== BY ==X'0E06'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==3== ==:CODE:== BY ==X'01'==.
           EXEC CICS RELEASE PROGRAM('NOWHERE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RELEASE NOWHERE PGMIDERR'==
               ==:FN:== BY ==X'0E0A'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS GETMAIN SET(PTR) LENGTH(100) INITIMG(IMAGE)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN'== ==:FN:== BY ==X'0C02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN INITIMG'==
               ==:TEST:== BY ==LK-AREA = ALL '*'==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FREEMAIN AGAIN INVREQ'==
               ==:FN:== BY ==X'0C04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           MOVE 100 TO FLEN
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) BELOW RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN FLENGTH'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           EXEC CICS FREEMAIN DATA(LK-AREA) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN DATA'==
               ==:FN:== BY ==X'0C04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) SHARED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN SHARED'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN SHARED'==
               ==:FN:== BY ==X'0C04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 0 TO FLEN
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GETMAIN 0 LENGERR'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1==.
           MOVE 17 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ AGAIN'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ AGAIN'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ NOT HELD'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS ENQ RESOURCE(NAME255) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ ADDRESS'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ ADDRESS'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 0 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ 0 LENGERR'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ 0 LENGERR'==
               ==:FN:== BY ==X'1206'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE 256 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ 256 LENGERR'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ 256 LENGERR'==
               ==:FN:== BY ==X'1206'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE 17 TO LEN
           MOVE 1 TO CVDA
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) MAXLIFETIME(CVDA)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENQ MAXLIFETIME INVREQ'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS DELETEQ TS QUEUE('CMDHELD') RESP(CK-RESP) END-EXEC
           EXEC CICS START TRANSID('CMHO') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START HOLDER'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 50
           EXEC CICS DELAY FOR MILLISECS(50) END-EXEC
           EXEC CICS READQ TS QUEUE('CMDHELD') INTO(A-TEXT)
                RESP(CK-RESP) END-EXEC
           IF CK-RESP = 0 MOVE 99 TO CK-WAITS END-IF
           END-PERFORM
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) NOSUSPEND
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ NOSUSPEND ENQBUSY'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==55==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'32'==.
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ WAITS'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
