       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDCONT.
      * Channels and containers.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  DATA-1 PIC X(40) VALUE 'CONTAINER DATA'.
       01  DATA-2 PIC X(40).
       01  FLEN PIC S9(8) COMP.
       01  CCSID PIC S9(8) COMP.
       01  CVDA PIC S9(8) COMP.
       01  PTR POINTER.
       LINKAGE SECTION.
       01  LK-DATA PIC X(40).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS PUT CONTAINER('ONE') CHANNEL('CMDCHAN')
                FROM(DATA-1) FLENGTH(14) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT CONTAINER'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 40 TO FLEN
           MOVE SPACES TO DATA-2
           EXEC CICS GET CONTAINER('ONE') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET CONTAINER'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET CONTAINER DATA'==
               ==:TEST:== BY ==DATA-2 = 'CONTAINER DATA' AND FLEN =
                 14==.
           EXEC CICS GET CONTAINER('ONE') CHANNEL('CMDCHAN') SET(PTR)
                FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET CONTAINER SET'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-DATA TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET SET DATA'==
               ==:TEST:== BY ==LK-DATA (1:14) = 'CONTAINER DATA' AND
                 FLEN = 14==.
           MOVE 0 TO FLEN
           EXEC CICS GET CONTAINER('ONE') CHANNEL('CMDCHAN') NODATA
                FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET CONTAINER NODATA'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET NODATA LENGTH'==
               ==:TEST:== BY ==FLEN = 14==.
           MOVE 9 TO FLEN
           MOVE SPACES TO DATA-2
           EXEC CICS GET CONTAINER('ONE') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET CONTAINER 9 LENGERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==11==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET TRUNCATED'==
               ==:TEST:== BY ==DATA-2 = 'CONTAINER' AND FLEN = 14==.
           MOVE 40 TO FLEN
           EXEC CICS GET CONTAINER('NONE') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET CONTAINER CONTAINERERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==110==
               ==:RESP2:== BY ==10==.
           EXEC CICS GET CONTAINER('ONE') CHANNEL('NOCHAN') INTO(DATA-2)
                FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET CONTAINER CHANNELERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==2==.
           EXEC CICS GET CONTAINER('ONE') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) INTOCCSID(1208) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET BIT AS UTF-8 CCSIDERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==123==
               ==:RESP2:== BY ==3==.
           MOVE -1 TO FLEN
           EXEC CICS PUT CONTAINER('TWO') CHANNEL('CMDCHAN')
                FROM(DATA-1) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PUT CONTAINER -1 LENGERR'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1==.
           EXEC CICS PUT CONTAINER('A B') CHANNEL('CMDCHAN')
                FROM(DATA-1) FLENGTH(14) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PUT CONTAINER NAME CONTAINERER'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==110==
               ==:RESP2:== BY ==18==.
           EXEC CICS PUT CONTAINER('ONE') CHANNEL('A B') FROM(DATA-1)
                FLENGTH(14) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PUT CHANNEL NAME CHANNELERR'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==1==.
           EXEC CICS PUT CONTAINER('ONE') FROM(DATA-1) FLENGTH(14)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PUT NO CHANNEL INVREQ'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           MOVE 1 TO CVDA
           EXEC CICS PUT CONTAINER('TWO') CHANNEL('CMDCHAN')
                FROM(DATA-1) FLENGTH(14) DATATYPE(CVDA) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PUT DATATYPE INVREQ'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS PUT CONTAINER('TWO') CHANNEL('CMDCHAN')
                FROM(DATA-1) FLENGTH(14) BIT FROMCCSID(37) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PUT CCSID WITH BIT INVREQ'==
               ==:FN:== BY ==X'3416'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS PUT CONTAINER('TEXT') CHANNEL('CMDCHAN')
                FROM(DATA-1) FLENGTH(14) CHAR RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT CHAR'== ==:FN:== BY ==X'3416'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 40 TO FLEN
           EXEC CICS GET CONTAINER('TEXT') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) INTOCCSID(1208) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET AS UTF-8'== ==:FN:== BY ==X'3414'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='UTF-8 DATA'==
               ==:TEST:== BY ==FLEN = 14 AND DATA-2 (1:9) =
                 X'434F4E5441494E4552'==.
           MOVE ' MORE' TO DATA-2
           EXEC CICS PUT CONTAINER('TEXT') CHANNEL('CMDCHAN')
                FROM(DATA-2) FLENGTH(5) APPEND RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUT APPEND'== ==:FN:== BY ==X'3416'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO DATA-2
           MOVE 40 TO FLEN
           EXEC CICS GET CONTAINER('TEXT') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET APPENDED'== ==:FN:== BY ==X'3414'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='APPENDED DATA'==
               ==:TEST:== BY ==DATA-2 = 'CONTAINER DATA MORE' AND FLEN =
                 19==.
           EXEC CICS MOVE CONTAINER('TEXT') AS('MOVED')
                CHANNEL('CMDCHAN') TOCHANNEL('OTHER') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='MOVE CONTAINER'==
               ==:FN:== BY ==X'3440'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 40 TO FLEN
           EXEC CICS GET CONTAINER('TEXT') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET MOVED CONTAINERERR'==
               ==:FN:== BY ==X'3414'== ==:RESP:== BY ==110==
               ==:RESP2:== BY ==10==.
           EXEC CICS GET CONTAINER('MOVED') CHANNEL('OTHER')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET MOVED'== ==:FN:== BY ==X'3414'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE CONTAINER('MOVED') CHANNEL('OTHER')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETE CONTAINER'==
               ==:FN:== BY ==X'3412'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETE CONTAINER('MOVED') CHANNEL('OTHER')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETE CONTAINER AGAIN CONTAIN'==
               ==:FN:== BY ==X'3412'== ==:RESP:== BY ==110==
               ==:RESP2:== BY ==10==.
           EXEC CICS LINK PROGRAM('CMDCHAN') CHANNEL('CMDCHAN')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK CHANNEL'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 40 TO FLEN
           MOVE SPACES TO DATA-2
           EXEC CICS GET CONTAINER('ANSWER') CHANNEL('CMDCHAN')
                INTO(DATA-2) FLENGTH(FLEN) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='GET ANSWER'== ==:FN:== BY ==X'3414'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ANSWER DATA'==
               ==:TEST:== BY ==DATA-2 = 'CMDCHAN CONTAINER DATA'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
