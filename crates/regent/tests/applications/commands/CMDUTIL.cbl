       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDUTIL.
      * ADDRESS SET, BIF DEEDIT, CONVERTTIME, DUMP, ENTER TRACENUM,
      * waits for events, journals.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  PTR-1 POINTER.
       01  PTR-2 POINTER.
       01  AREA-1 PIC X(40) VALUE 'FORTY CHARACTERS OF A RECORD'.
       01  AREA-2 PIC X(20) VALUE 'A PREFIX'.
       01  BIG-AREA PIC X(4100) VALUE SPACES.
       01  FIELD-9 PIC X(9).
       01  HALF-1 PIC S9(4) COMP.
       01  FULL-1 PIC S9(8) COMP.
       01  REQ-1 PIC S9(8) COMP.
       01  DATE-1 PIC X(64) VALUE SPACES.
       01  TIME-1 PIC S9(15) COMP-3.
       01  DATE-8 PIC X(10).
       01  TIME-8 PIC X(8).
       01  DUMP-ID PIC X(9) VALUE SPACES.
       01  ECB-1 PIC X(4).
       01  ECB-LISTS.
           05  ECB-LIST POINTER.
       PROCEDURE DIVISION.
       MAIN-LINE.
           SET PTR-2 TO ADDRESS OF AREA-1
           EXEC CICS ADDRESS SET(PTR-1) USING(PTR-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ADDRESS SET'==
               ==:FN:== BY ==X'0210'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ADDRESS SET DATA'==
               ==:TEST:== BY ==PTR-1 = PTR-2==.
           MOVE '14-B704/2' TO FIELD-9
           EXEC CICS BIF DEEDIT FIELD(FIELD-9) LENGTH(9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='BIF DEEDIT'==
               ==:FN:== BY ==X'2002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BIF DEEDIT DIGITS'==
               ==:TEST:== BY ==FIELD-9 = '000147042' ==.
           MOVE '1,234.56-' TO FIELD-9
           EXEC CICS BIF DEEDIT FIELD(FIELD-9) LENGTH(9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BIF DEEDIT MINUS'==
               ==:TEST:== BY ==FIELD-9 = '00012345O' ==.
           MOVE '    12 CR' TO FIELD-9
           EXEC CICS BIF DEEDIT FIELD(FIELD-9) LENGTH(9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BIF DEEDIT CREDIT'==
               ==:TEST:== BY ==FIELD-9 = '00000001K' ==.
           MOVE 0 TO HALF-1
           EXEC CICS BIF DEEDIT FIELD(FIELD-9) LENGTH(HALF-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='BIF DEEDIT LENGERR'==
               ==:FN:== BY ==X'2002'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==-1==.
           MOVE 'Thu, 02 Apr 2009 15:10:26 GMT' TO DATE-1
           EXEC CICS CONVERTTIME DATESTRING(DATE-1) ABSTIME(TIME-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='CONVERTTIME'==
               ==:FN:== BY ==X'4A06'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FORMATTIME ABSTIME(TIME-1) YYYYMMDD(DATE-8)
                DATESEP TIME(TIME-8) TIMESEP RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='CONVERTTIME VALUE'==
               ==:TEST:== BY ==DATE-8 = '2009/04/02' AND TIME-8 =
                 '15:10:26' ==.
           MOVE 'THE SECOND OF APRIL' TO DATE-1
           EXEC CICS CONVERTTIME DATESTRING(DATE-1) ABSTIME(TIME-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='CONVERTTIME INVREQ'==
               ==:FN:== BY ==X'4A06'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1==.
           EXEC CICS DUMP TRANSACTION DUMPCODE('CMDU') FROM(AREA-1)
                LENGTH(40) DUMPID(DUMP-ID) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DUMP TRANSACTION'==
               ==:FN:== BY ==X'7E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DUMP TRANSACTION DUMPID'==
               ==:TEST:== BY ==DUMP-ID NOT = SPACES==.
           EXEC CICS ENTER TRACENUM(199) FROM(AREA-1) FROMLENGTH(40)
                RESOURCE('CMDTRACE') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENTER TRACENUM'==
               ==:FN:== BY ==X'4802'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 200 TO HALF-1
           EXEC CICS ENTER TRACENUM(HALF-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENTER TRACENUM INVREQ'==
               ==:FN:== BY ==X'4802'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           MOVE 4001 TO HALF-1
           EXEC CICS ENTER TRACENUM(1) FROM(BIG-AREA)
                FROMLENGTH(HALF-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENTER TRACENUM LENGERR'==
               ==:FN:== BY ==X'4802'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==4==.
           EXEC CICS POST INTERVAL(0) SET(PTR-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS WAIT EVENT ECADDR(PTR-1) NAME('CMDEVENT')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAIT EVENT'==
               ==:FN:== BY ==X'1202'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE X'40000000' TO ECB-1
           SET ECB-LIST TO ADDRESS OF ECB-1
           SET PTR-2 TO ADDRESS OF ECB-LISTS
           EXEC CICS WAIT EXTERNAL ECBLIST(PTR-2) NUMEVENTS(1)
                PURGEABLE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAIT EXTERNAL'==
               ==:FN:== BY ==X'5E22'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WAITCICS ECBLIST(PTR-2) NUMEVENTS(1)
                NAME('CMDECB') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAITCICS'==
               ==:FN:== BY ==X'5E32'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 0 TO FULL-1
           EXEC CICS WAIT EXTERNAL ECBLIST(PTR-2) NUMEVENTS(FULL-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAIT EXTERNAL INVREQ'==
               ==:FN:== BY ==X'5E22'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS WAITCICS ECBLIST(PTR-2) NUMEVENTS(FULL-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAITCICS INVREQ'==
               ==:FN:== BY ==X'5E32'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           MOVE DFHVALUE(OPEN) TO FULL-1
           EXEC CICS WAITCICS ECBLIST(PTR-2) NUMEVENTS(1)
                PURGEABILITY(FULL-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAITCICS PURGEABILITY INVREQ'==
               ==:FN:== BY ==X'5E32'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           EXEC CICS WRITE JOURNALNAME('CMDJRN') JTYPEID('XX')
                FROM(AREA-1) FLENGTH(40) REQID(REQ-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITE JOURNALNAME'==
               ==:FN:== BY ==X'1406'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WAIT JOURNALNAME('CMDJRN') REQID(REQ-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAIT JOURNALNAME'==
               ==:FN:== BY ==X'1408'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WRITE JOURNALNAME('CMDJRN') JTYPEID('XX')
                FROM(AREA-1) FLENGTH(40) PREFIX(AREA-2) PFXLENG(20) WAIT
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITE JOURNALNAME WAIT'==
               ==:FN:== BY ==X'1406'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WRITE JOURNALNUM(9) JTYPEID('YY') FROM(AREA-1)
                FLENGTH(40) REQID(REQ-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITE JOURNALNUM'==
               ==:FN:== BY ==X'1402'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WAIT JOURNALNUM(9) REQID(REQ-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAIT JOURNALNUM'==
               ==:FN:== BY ==X'1404'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS WAIT JOURNALNAME('CMDNONE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WAIT JOURNALNAME JIDERR'==
               ==:FN:== BY ==X'1408'== ==:RESP:== BY ==43==
               ==:RESP2:== BY ==1==.
           MOVE 0 TO FULL-1
           EXEC CICS WRITE JOURNALNAME('CMDJRN') JTYPEID('XX')
                FROM(AREA-1) FLENGTH(FULL-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITE JOURNALNAME LENGERR'==
               ==:FN:== BY ==X'1406'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
