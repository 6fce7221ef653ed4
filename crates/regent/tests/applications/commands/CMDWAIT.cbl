       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDWAIT.
      * What waits and what does not: WRITEQ TS without room, GETMAIN
      * without storage, ENQ; with NOSUSPEND and without.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  LEN PIC S9(4) COMP-5.
       01  FLEN PIC S9(9) COMP-5.
       01  BIG PIC X(32763) VALUE 'BIG'.
       01  COUNT-1 PIC S9(4) COMP VALUE 0.
       01  ITEM-1 PIC X(20).
       01  ITEM-PARTS REDEFINES ITEM-1.
           05  I-RESP-1 PIC 9(4).
           05  I-RESP-2 PIC 9(4).
           05  I-TYPE PIC X(8).
           05  FILLER PIC X(4).
       01  HELPER.
           05  H-FUNCTION PIC X(4).
           05  H-TASK PIC S9(7) COMP-3.
           05  H-POINTER POINTER.
       01  PTR POINTER.
       01  PTR-2 POINTER.
       01  HELD-AREAS.
           05  SIZES OCCURS 20 POINTER.
       01  HELD PIC S9(4) COMP VALUE 0.
       01  SEEN PIC X(8).
       01  CVDA PIC S9(8) COMP.
       01  NAME255 PIC X(256) VALUE ALL 'N'.
       LINKAGE SECTION.
       01  LK-AREA PIC X(1000).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS DELETEQ TS QUEUE('CMDBIG') NOHANDLE END-EXEC
           EXEC CICS DELETEQ TS QUEUE('CMDWAITQ') NOHANDLE END-EXEC
           MOVE 0 TO CK-RESP
           MOVE 32763 TO LEN
           PERFORM UNTIL CK-RESP NOT = 0 OR COUNT-1 > 100
           EXEC CICS WRITEQ TS QUEUE('CMDBIG') FROM(BIG) LENGTH(LEN)
                MAIN NOSUSPEND RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           IF CK-RESP = 0 ADD 1 TO COUNT-1 END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='TSMAINLIMIT 1M: 32 ITEMS'==
               ==:TEST:== BY ==COUNT-1 = 32==.
           EXEC CICS WRITEQ TS QUEUE('CMDBIG') FROM(BIG) LENGTH(LEN)
                MAIN NOSUSPEND RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDBIG' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ NOSUSPEND NOSPACE'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==18==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'08'==.
           MOVE 'MISSED' TO SEEN
           EXEC CICS HANDLE CONDITION NOSPACE(NO-SPACE) END-EXEC
           EXEC CICS WRITEQ TS QUEUE('CMDBIG') FROM(BIG) LENGTH(LEN)
                MAIN END-EXEC
           MOVE 'CAME ON' TO SEEN.
       NO-SPACE.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='WRITEQ: NOSPACE HANDLED'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND EIBRESP = 18==.
           EXEC CICS HANDLE CONDITION NOSPACE END-EXEC
           MOVE 'TS' TO H-FUNCTION
           MOVE EIBTASKN TO H-TASK
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           EXEC CICS WRITEQ TS QUEUE('CMDWAITM') FROM(BIG) LENGTH(LEN)
                MAIN RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDWAITM' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ WAITS FOR SPACE'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='WRITEQ: SUSPENDTYPE'==
               ==:TEST:== BY ==I-TYPE = 'TSMAINLM' ==.
           EXEC CICS DELETEQ TS QUEUE('CMDWAITM') NOHANDLE END-EXEC
           MOVE 0 TO LEN
           EXEC CICS WRITEQ TS QUEUE('CMDLENQ') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ 0 LENGERR'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'E1'==.
           MOVE 32763 TO LEN
           EXEC CICS WRITEQ TS QUEUE('CMDLENQ') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ 32763'== ==:FN:== BY ==X'0A02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 32764 TO LEN
           EXEC CICS WRITEQ TS QUEUE('CMDLENQ') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ 32764 LENGERR'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'E1'==.
           EXEC CICS DELETEQ TS QUEUE('CMDLENQ') NOHANDLE END-EXEC
           MOVE 0 TO LEN
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 0'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==22== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'E1'==.
           MOVE 1 TO LEN
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 1'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 32763 TO LEN
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 32763'==
               ==:FN:== BY ==X'0802'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 32764 TO LEN
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 32764'==
               ==:FN:== BY ==X'0802'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'E1'==.
           MOVE -1 TO LEN
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(BIG) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD -1'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==22== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'E1'==.
           EXEC CICS DELETEQ TD QUEUE('CMDT') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TD'== ==:FN:== BY ==X'0806'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(0) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN FLENGTH 0 LENGERR'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE -1 TO FLEN
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN FLENGTH -1 LENGERR'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE 1073741825 TO FLEN
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN 1G+1 LENGERR'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE 1073741824 TO FLEN
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) NOSUSPEND
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN 1G LENGERR'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE 16777217 TO FLEN
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) BELOW RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN BELOW 16M+1 LENGERR'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) INITIMG(NAME255)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN'== ==:FN:== BY ==X'0C02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN : INITIMG'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) SHARED
                INITIMG(NAME255) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN SHARED'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN SHARED: INITIMG'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) USERDATAKEY
                INITIMG(NAME255) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN USERDATAKEY'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN USERDATAKEY: INITIMG'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) CICSDATAKEY
                INITIMG(NAME255) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN CICSDATAKEY'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN CICSDATAKEY: INITIMG'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) SHARED USERDATAKEY
                INITIMG(NAME255) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN SHARED USERDATAKEY'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN SHARED USERDATAKEY: IN'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) SHARED CICSDATAKEY
                BELOW INITIMG(NAME255) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN SHARED CICSDATAKEY BEL'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN SHARED CICSDATAKEY BEL'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           SET PTR-2 TO PTR
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS GETMAIN SET(PTR) FLENGTH(1000) BELOW
                INITIMG(NAME255) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN BELOW'== ==:FN:== BY ==X'0C02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-AREA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN BELOW: INITIMG'==
               ==:TEST:== BY ==LK-AREA (1:256) = NAME255 AND LK-AREA
                 (999:2) = 'NN' ==.
           SET PTR-2 TO PTR
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN'== ==:FN:== BY ==X'0C04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FREEMAIN AGAIN INVREQ'==
               ==:FN:== BY ==X'0C04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E0'==.
           EXEC CICS GETMAIN SET(PTR) LENGTH(1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN LENGTH 1'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS FREEMAIN DATAPOINTER(PTR) END-EXEC
           MOVE 524288 TO FLEN
           MOVE 0 TO CK-RESP
           PERFORM UNTIL CK-RESP NOT = 0 OR HELD > 18
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) BELOW SHARED
                NOSUSPEND RESP(CK-RESP) END-EXEC
           IF CK-RESP = 0 ADD 1 TO HELD SET SIZES (HELD) TO PTR END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN BELOW: FULL'==
               ==:TEST:== BY ==HELD > 0 AND HELD < 19 AND CK-RESP =
                 42==.
           MOVE 'STG' TO H-FUNCTION
           SET H-POINTER TO SIZES (1)
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           EXEC CICS GETMAIN SET(PTR) FLENGTH(FLEN) BELOW SHARED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GETMAIN WAITS FOR STORAGE'==
               ==:FN:== BY ==X'0C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET SIZES (1) TO PTR
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GETMAIN: SUSPENDTYPE'==
               ==:TEST:== BY ==I-TYPE = 'SDSA' OR I-TYPE = 'UDSA' ==.
           PERFORM VARYING COUNT-1 FROM 1 BY 1 UNTIL COUNT-1 > HELD
           EXEC CICS FREEMAIN DATAPOINTER(SIZES (COUNT-1)) NOHANDLE
                END-EXEC
           END-PERFORM
           MOVE 0 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ LENGTH 0 LENGERR'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE 1 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ LENGTH 1'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ LENGTH 1'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 255 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ LENGTH 255'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ LENGTH 255'==
               ==:FN:== BY ==X'1206'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 256 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ LENGTH 256 LENGERR'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE -1 TO LEN
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ LENGTH -1 LENGERR'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'E1'==.
           MOVE DFHVALUE(OPEN) TO CVDA
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(4) MAXLIFETIME(CVDA)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ MAXLIFETIME INVREQ'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'E0'==.
           MOVE 'UUUU' TO NAME255 (1:4)
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(4) UOW RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ UOW'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'TTTT' TO NAME255 (1:4)
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(4) TASK RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ TASK'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'ENQ' TO H-FUNCTION
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQ: BOTH ARE HELD'==
               ==:TEST:== BY ==I-RESP-1 = 55 AND I-RESP-2 = 55==.
           EXEC CICS SYNCPOINT END-EXEC
           MOVE 'ENQ' TO H-FUNCTION
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQ: TASK OUTLIVES THE UOW'==
               ==:TEST:== BY ==I-RESP-1 = 0 AND I-RESP-2 = 55==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(4) TASK RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ TASK'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'ENQ' TO H-FUNCTION
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DEQ GIVES IT UP'==
               ==:TEST:== BY ==I-RESP-1 = 0 AND I-RESP-2 = 0==.
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ AGAIN'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DEQ ONCE'== ==:FN:== BY ==X'1206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'ENQ' TO H-FUNCTION
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQ TWICE, DEQ ONCE: HELD'==
               ==:TEST:== BY ==I-RESP-1 = 0 AND I-RESP-2 = 55==.
           EXEC CICS DEQ RESOURCE(NAME255) LENGTH(4) END-EXEC
           MOVE 'ENQ' TO H-FUNCTION
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DEQ TWICE: FREE'==
               ==:TEST:== BY ==I-RESP-1 = 0 AND I-RESP-2 = 0==.
           MOVE 'WTNG' TO H-FUNCTION
           EXEC CICS START TRANSID('CMWH') FROM(HELPER) END-EXEC
           PERFORM AWAIT-HELPER
           EXEC CICS ENQ RESOURCE(NAME255) LENGTH(4) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ENQ WAITS'== ==:FN:== BY ==X'1204'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           PERFORM AWAIT-HELPER
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQ: SUSPENDTYPE'==
               ==:TEST:== BY ==I-TYPE = 'ENQUEUE' ==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       AWAIT-HELPER.
           MOVE SPACES TO ITEM-1
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 300
           MOVE 20 TO LEN
           EXEC CICS READQ TS QUEUE('CMDWAITQ') INTO(ITEM-1) LENGTH(LEN)
                ITEM(1) NOHANDLE END-EXEC
           IF EIBRESP = 0 MOVE 999 TO CK-WAITS ELSE
           EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
           END-IF
           END-PERFORM
           EXEC CICS DELETEQ TS QUEUE('CMDWAITQ') NOHANDLE END-EXEC.
       COPY CHKPROC.
