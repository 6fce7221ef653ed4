       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDLINP.
      * INPUTMSG of LINK and what the program below receives; ASSIGN
      * of a task at a terminal; LINK SYSID and SYNCONRETURN; GET
      * CONTAINER with BYTEOFFSET; FORMATTIME date strings.
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
       01  MSG-1 PIC X(20) VALUE 'INPUT FROM A PROGRAM'.
       01  LEN PIC S9(4) COMP.
       01  FLEN PIC S9(8) COMP.
       01  OFFSET PIC S9(8) COMP.
       01  INTO-1 PIC X(20).
       01  TEXT-1 PIC X(30).
       01  ABS-1 PIC S9(15) COMP-3 VALUE 3155718896123.
       01  TERM-CODE PIC X(2).
       01  FCI-1 PIC X.
       01  FACILITY-1 PIC X(4).
       01  H-1 PIC S9(4) COMP.
       01  H-2 PIC S9(4) COMP.
       01  H-3 PIC S9(4) COMP.
       01  H-4 PIC S9(4) COMP.
       01  CCSID-1 PIC S9(8) COMP.
       01  SEEN PIC X(8).
       01  QUEUE-1 PIC X(4).
       01  C-1 PIC S9(8) COMP.
       01  NAME-16 PIC X(16).
       01  OTHER-16 PIC X(16).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'INPT' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDINPT') COMMAREA(AREA-1)
                INPUTMSG(MSG-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK INPUTMSG'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='INPUTMSG IS RECEIVED'==
               ==:TEST:== BY ==A-TEXT = MSG-1 AND A-LENGTH = 20 AND
                 A-RESP = 20==.
           EXEC CICS LINK PROGRAM('CMDINPT') COMMAREA(AREA-1)
                INPUTMSG(MSG-1) INPUTMSGLEN(5) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK INPUTMSGLEN'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='INPUTMSGLEN CUTS IT'==
               ==:TEST:== BY ==A-TEXT = 'INPUT' AND A-LENGTH = 5 AND
                 A-RESP = 5==.
           MOVE -1 TO LEN
           EXEC CICS LINK PROGRAM('CMDINPT') COMMAREA(AREA-1)
                INPUTMSG(MSG-1) INPUTMSGLEN(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='INPUTMSGLEN -1 LENGERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==27== ==:CODE:== BY ==X'E1'==.
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                SYSID('NOSY') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK SYSIDERR'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==53== ==:RESP2:== BY ==-1==
               ==:CODE:== BY ==X'D0'==.
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                SYSID('CICS') SYNCONRETURN RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK LOCAL SYSID'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='LINK LOCAL SYSID RUNS'==
               ==:TEST:== BY ==A-TEXT = 'TRANSFERRED' ==.
           MOVE 100 TO LEN
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                LENGTH(100) DATALENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK DATALENGTH 100'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 101 TO LEN
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                LENGTH(100) DATALENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK DATALENGTH 101 LENGERR'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==12== ==:CODE:== BY ==X'E1'==.
           EXEC CICS ASSIGN TERMCODE(TERM-CODE) FCI(FCI-1)
                FACILITY(FACILITY-1) SCRNHT(H-1) SCRNWD(H-2)
                DEFSCRNHT(H-3) ALTSCRNWD(H-4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASSIGN TERMINAL'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN: TERMCODE, FACILITY'==
               ==:TEST:== BY ==TERM-CODE = X'91F2' AND FCI-1 = X'01' AND
                 FACILITY-1 = EIBTRMID==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN: SCREEN'==
               ==:TEST:== BY ==H-1 = 24 AND H-2 = 80 AND H-3 = 24 AND
                 H-4 = 80==.
           EXEC CICS ASSIGN QNAME(QUEUE-1) SCRNHT(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN QNAME INVREQ'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ASSIGN: THE OTHERS ARE GIVEN'==
               ==:TEST:== BY ==H-1 = 24==.
           EXEC CICS ASSIGN MAPLINE(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MAPLINE INVREQ'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN DESTCOUNT(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DESTCOUNT INVREQ'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS PUT CONTAINER('C') CHANNEL('CH') FROM(MSG-1) CHAR
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT CHAR'== ==:FN:== BY ==X'3416'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 6 TO OFFSET
           MOVE 20 TO FLEN
           MOVE SPACES TO INTO-1
           EXEC CICS GET CONTAINER('C') CHANNEL('CH') INTO(INTO-1)
                FLENGTH(FLEN) BYTEOFFSET(OFFSET) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET BYTEOFFSET 6'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET BYTEOFFSET: DATA'==
               ==:TEST:== BY ==INTO-1 = 'FROM A PROGRAM' AND FLEN =
                 14==.
           MOVE -1 TO OFFSET
           MOVE 20 TO FLEN
           EXEC CICS GET CONTAINER('C') CHANNEL('CH') INTO(INTO-1)
                FLENGTH(FLEN) BYTEOFFSET(OFFSET) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET BYTEOFFSET -1 IS 0'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BYTEOFFSET -1: DATA'==
               ==:TEST:== BY ==INTO-1 = MSG-1==.
           MOVE 19 TO OFFSET
           MOVE 20 TO FLEN
           EXEC CICS GET CONTAINER('C') CHANNEL('CH') INTO(INTO-1)
                FLENGTH(FLEN) BYTEOFFSET(OFFSET) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET BYTEOFFSET 19'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 20 TO OFFSET
           MOVE 20 TO FLEN
           EXEC CICS GET CONTAINER('C') CHANNEL('CH') INTO(INTO-1)
                FLENGTH(FLEN) BYTEOFFSET(OFFSET) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET BYTEOFFSET 20'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==12==.
           MOVE -1 TO FLEN
           EXEC CICS GET CONTAINER('C') CHANNEL('CH') INTO(INTO-1)
                FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET FLENGTH -1 IS 0'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==11==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET FLENGTH: LENGTH OF DATA'==
               ==:TEST:== BY ==FLEN = 20==.
           MOVE 0 TO FLEN
           EXEC CICS GET CONTAINER('C') CHANNEL('CH') NODATA
                FLENGTH(FLEN) CCSID(CCSID-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET NODATA CCSID'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET NODATA: LENGTH AND CCSID'==
               ==:TEST:== BY ==FLEN = 20 AND CCSID-1 = 37==.
           EXEC CICS PUT CONTAINER('B') CHANNEL('CH') FROM(MSG-1) BIT
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT BIT'== ==:FN:== BY ==X'3416'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 20 TO FLEN
           MOVE SPACES TO INTO-1
           EXEC CICS GET CONTAINER('B') CHANNEL('CH') INTO(INTO-1)
                FLENGTH(FLEN) INTOCCSID(1208) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET BIT AS UTF-8 CCSIDERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==123==
               ==:RESP2:== BY ==3==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET BIT: DATA ARE GIVEN'==
               ==:TEST:== BY ==INTO-1 = MSG-1==.
           EXEC CICS QUERY CHANNEL('CH') CONTAINERCNT(FLEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY CHANNEL'== ==:FN:== BY ==X'345A'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY CHANNEL: COUNT'==
               ==:TEST:== BY ==FLEN = 2==.
           EXEC CICS STARTBROWSE CONTAINER CHANNEL('CH')
                BROWSETOKEN(C-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='STARTBROWSE CONTAINER'==
               ==:FN:== BY ==X'9626'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GETNEXT CONTAINER(NAME-16) BROWSETOKEN(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GETNEXT CONTAINER'==
               ==:FN:== BY ==X'9628'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE NAME-16 TO OTHER-16
           EXEC CICS GETNEXT CONTAINER(NAME-16) BROWSETOKEN(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GETNEXT CONTAINER AGAIN'==
               ==:FN:== BY ==X'9628'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BROWSE: BOTH, IN ANY ORDER'==
               ==:TEST:== BY ==(NAME-16 = 'B' AND OTHER-16 = 'C') OR
                 (NAME-16 = 'C' AND OTHER-16 = 'B') ==.
           EXEC CICS GETNEXT CONTAINER(NAME-16) BROWSETOKEN(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GETNEXT CONTAINER END'==
               ==:FN:== BY ==X'9628'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS ENDBROWSE CONTAINER BROWSETOKEN(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENDBROWSE CONTAINER'==
               ==:FN:== BY ==X'962A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GETNEXT CONTAINER(NAME-16) BROWSETOKEN(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GETNEXT AFTER END TOKENERR'==
               ==:FN:== BY ==X'9628'== ==:RESP:== BY ==112==
               ==:RESP2:== BY ==3==.
           EXEC CICS ENDBROWSE CONTAINER BROWSETOKEN(C-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENDBROWSE AGAIN TOKENERR'==
               ==:FN:== BY ==X'962A'== ==:RESP:== BY ==112==
               ==:RESP2:== BY ==3==.
           EXEC CICS STARTBROWSE CONTAINER CHANNEL('NONE')
                BROWSETOKEN(C-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='STARTBROWSE CHANNELERR'==
               ==:FN:== BY ==X'9626'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==2==.
           EXEC CICS PUT CONTAINER('B') CHANNEL('CH') FROM(MSG-1)
                FLENGTH(5) APPEND RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT APPEND BIT'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 0 TO FLEN
           EXEC CICS GET CONTAINER('B') CHANNEL('CH') NODATA
                FLENGTH(FLEN) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PUT APPEND: LENGTH'==
               ==:TEST:== BY ==FLEN = 25==.
           EXEC CICS MOVE CONTAINER('B') AS('D') CHANNEL('CH')
                TOCHANNEL('CH2') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='MOVE CONTAINER TOCHANNEL'==
               ==:FN:== BY ==X'3440'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 20 TO FLEN
           EXEC CICS GET CONTAINER('D') CHANNEL('CH2') INTO(INTO-1)
                FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET MOVED LENGERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==11==.
           EXEC CICS QUERY CHANNEL('CH') CONTAINERCNT(FLEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY CHANNEL AFTER MOVE'==
               ==:FN:== BY ==X'345A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY CHANNEL AFTER MOVE: 1'==
               ==:TEST:== BY ==FLEN = 1==.
           EXEC CICS DELETE CHANNEL('CH') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETE CHANNEL'==
               ==:FN:== BY ==X'3458'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DELETE CHANNEL('CH') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETE CHANNEL CHANNELERR'==
               ==:FN:== BY ==X'3458'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==2==.
           EXEC CICS DELETE CHANNEL('DFHTRANSACTION') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETE TRANSACTION CHANNEL'==
               ==:FN:== BY ==X'3458'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==5==.
           EXEC CICS QUERY CHANNEL('CH') CONTAINERCNT(FLEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY CHANNEL CHANNELERR'==
               ==:FN:== BY ==X'345A'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==2==.
           EXEC CICS FORMATTIME ABSTIME(ABS-1) DATESTRING(TEXT-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME DATESTRING'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATESTRING RFC1123'==
               ==:TEST:== BY ==TEXT-1 (1:16) = 'Sat, 01 Jan 2000' AND
                 TEXT-1 (27:3) = 'GMT' ==.
           EXEC CICS FORMATTIME ABSTIME(ABS-1) DATESTRING(TEXT-1)
                STRINGFORMAT(DFHVALUE(RFC3339)) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME RFC3339'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATESTRING RFC3339'==
               ==:TEST:== BY ==TEXT-1 (1:11) = '2000-01-01T' AND TEXT-1
                 (20:5) = '.123Z' ==.
           EXEC CICS FORMATTIME ABSTIME(ABS-1) DATESTRING(TEXT-1)
                STRINGFORMAT(DFHVALUE(RFC3339))
                STRINGZONE(DFHVALUE(LOCAL)) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME LOCAL'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATESTRING LOCAL ZONE'==
               ==:TEST:== BY ==TEXT-1 (1:23) = '2000-01-01T12:34:56.123'
                 AND TEXT-1 (27:1) = ':' ==.
           EXEC CICS HANDLE ABEND LABEL(NO-CONVERSATION) END-EXEC
           MOVE 'MISSED' TO SEEN
           EXEC CICS SEND FROM(MSG-1) LENGTH(5) CONVID(FACILITY-1)
                END-EXEC
           MOVE 'CAME ON' TO SEEN.
       NO-CONVERSATION.
           EXEC CICS ASSIGN ABCODE(QUEUE-1) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SEND CONVID IS REFUSED'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND QUEUE-1 = 'AEY9' ==.
           EXEC CICS HANDLE ABEND CANCEL END-EXEC
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
