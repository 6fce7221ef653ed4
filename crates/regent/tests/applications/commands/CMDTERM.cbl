       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDTERM.
      * SEND, RECEIVE, SEND MAP, RECEIVE MAP and HANDLE AID, with the
      * test at the keyboard.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  INPUT-1 PIC X(40).
       01  LEN PIC S9(4) COMP.
       01  SEEN PIC X(10).
       01  MSG PIC X(12) VALUE 'TYPE A WORD:'.
           COPY CMDSET.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 40 TO LEN
           MOVE SPACES TO INPUT-1
           EXEC CICS RECEIVE INTO(INPUT-1) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RECEIVE FIRST'==
               ==:FN:== BY ==X'0402'== ==:RESP:== BY ==6==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'20'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RECEIVE FIRST DATA'==
               ==:TEST:== BY ==INPUT-1 = 'CMTM HELLO' AND LEN = 10==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EIBAID ENTER'==
               ==:TEST:== BY ==EIBAID = QUOTE OR EIBAID = X'7D'==.
           EXEC CICS SEND FROM(MSG) LENGTH(12) ERASE RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SEND'== ==:FN:== BY ==X'0404'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 4 TO LEN
           MOVE SPACES TO INPUT-1
           EXEC CICS RECEIVE INTO(INPUT-1) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RECEIVE 4 LENGERR'==
               ==:FN:== BY ==X'0402'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==-1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RECEIVE TRUNCATED'==
               ==:TEST:== BY ==INPUT-1 = 'WORD' AND LEN = 12==.
           EXEC CICS SEND MAP('CMDMAP') MAPSET('CMDSET') MAPONLY ERASE
                FREEKB RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SEND MAP'== ==:FN:== BY ==X'1804'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS RECEIVE MAP('CMDMAP') MAPSET('CMDSET')
                INTO(CMDMAPI) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RECEIVE MAP'== ==:FN:== BY ==X'1802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RECEIVE MAP DATA'==
               ==:TEST:== BY ==NAMEI = 'REGENT' AND NAMEL = 6 AND COUNTI
                 = '00042' AND COUNTL = 2==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EIBAID PF5'==
               ==:TEST:== BY ==EIBAID = X'F5'==.
           MOVE LOW-VALUES TO CMDMAPO
           MOVE 'AGAIN' TO NAMEO
           MOVE -1 TO COUNTL
           EXEC CICS SEND MAP('CMDMAP') MAPSET('CMDSET') FROM(CMDMAPO)
                DATAONLY CURSOR FREEKB RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SEND MAP DATAONLY'==
               ==:FN:== BY ==X'1804'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS RECEIVE MAP('CMDMAP') MAPSET('CMDSET')
                INTO(CMDMAPI) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RECEIVE MAP CLEAR MAPFAIL'==
               ==:FN:== BY ==X'1802'== ==:RESP:== BY ==36==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'04'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EIBAID CLEAR'==
               ==:TEST:== BY ==EIBAID = X'6D'==.
           EXEC CICS HANDLE AID PF3(KEY-3) ANYKEY(KEY-ANY) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE AID'== ==:FN:== BY ==X'0206'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS SEND MAP('CMDMAP') MAPSET('CMDSET') MAPONLY ERASE
                FREEKB END-EXEC
           MOVE 'MISSED' TO SEEN
           EXEC CICS RECEIVE MAP('CMDMAP') MAPSET('CMDSET')
                INTO(CMDMAPI) END-EXEC
           MOVE 'CAME ON' TO SEEN.
       KEY-ANY.
           MOVE 'ANY' TO SEEN.
       KEY-3.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='HANDLE AID PF3'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND EIBAID = X'F3'==.
           EXEC CICS SEND MAP('CMDMAP') MAPSET('CMDSET') MAPONLY ERASE
                FREEKB RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SEND MAP NO MAPSET'==
               ==:FN:== BY ==X'1804'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS SEND CONTROL ERASE FREEKB RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='SEND CONTROL'== ==:FN:== BY ==X'1812'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
