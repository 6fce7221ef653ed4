       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDTIME.
      * START, RETRIEVE, CANCEL, DELAY, ASKTIME, FORMATTIME and WRITE
      * OPERATOR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  DATA-1 PIC X(20) VALUE 'STARTED WITH DATA'.
       01  BACK.
           05  BACK-COUNT PIC 9(4).
           05  BACK-FAULTS PIC 9(4).
           05  BACK-FIRST PIC X(79).
       01  LEN PIC S9(4) COMP.
       01  ABS-1 PIC S9(15) COMP-3.
       01  ABS-2 PIC S9(15) COMP-3.
       01  ABS-BYTES PIC X(8) VALUE SPACES.
       01  ABS-3 REDEFINES ABS-BYTES PIC S9(15) COMP-3.
       01  COUNT-GROUP.
           05  COUNT-NUMBER PIC S9(8) COMP.
       01  F-DATE PIC X(10).
       01  F-TIME PIC X(8).
       01  F-NUM PIC S9(8) COMP.
       01  F-NUM-2 PIC S9(8) COMP.
       01  F-NUM-3 PIC S9(8) COMP.
       01  F-NUM-4 PIC S9(8) COMP.
       01  HHMMSS PIC S9(7) COMP-3.
       01  REPLY PIC X(10).
       01  T-TEXT PIC X(700) VALUE 'A MESSAGE OF THE COMMAND TESTS'.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS START TRANSID('NONE') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START NONE TRANSIDERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==28==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'11'==.
           EXEC CICS START TRANSID('CMRE') TERMID('ZZZZ') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START TERMID TERMIDERR'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==11==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'12'==.
           EXEC CICS START TRANSID('CMRE') AFTER HOURS(100)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START HOURS INVREQ'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4== ==:CODE:== BY ==X'FF'==.
           EXEC CICS DELAY FOR HOURS(100) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELAY HOURS INVREQ'==
               ==:FN:== BY ==X'1004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4== ==:CODE:== BY ==X'FF'==.
           EXEC CICS START TRANSID('CMRE') AFTER HOURS(1) MINUTES(60)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START MINUTES INVREQ'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==5== ==:CODE:== BY ==X'FF'==.
           EXEC CICS DELAY FOR HOURS(1) MINUTES(60) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELAY MINUTES INVREQ'==
               ==:FN:== BY ==X'1004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==5== ==:CODE:== BY ==X'FF'==.
           EXEC CICS START TRANSID('CMRE') AFTER HOURS(1) MINUTES(1)
                SECONDS(60) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START SECONDS INVREQ'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==6== ==:CODE:== BY ==X'FF'==.
           EXEC CICS DELAY FOR HOURS(1) MINUTES(1) SECONDS(60)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELAY SECONDS INVREQ'==
               ==:FN:== BY ==X'1004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==6== ==:CODE:== BY ==X'FF'==.
           EXEC CICS START TRANSID('CMRE') AFTER HOURS(1)
                REQID('CMDREQ') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START AFTER'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='START EIBREQID'==
               ==:TEST:== BY ==EIBREQID = 'CMDREQ'==.
           EXEC CICS CANCEL REQID('CMDREQ') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL'== ==:FN:== BY ==X'100C'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS CANCEL REQID('CMDREQ') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='CANCEL AGAIN NOTFND'==
               ==:FN:== BY ==X'100C'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==-1== ==:CODE:== BY ==X'81'==.
           EXEC CICS DELAY FOR MILLISECS(10) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELAY'== ==:FN:== BY ==X'1004'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE('CMDBACK') RESP(CK-RESP) END-EXEC
           EXEC CICS START TRANSID('CMRE') FROM(DATA-1) LENGTH(20)
                RTRANSID('RTRN') RTERMID('RTRM') QUEUE('RQUEUE')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START FROM'== ==:FN:== BY ==X'1008'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 60
           EXEC CICS DELAY FOR MILLISECS(50) END-EXEC
           MOVE LENGTH OF BACK TO LEN
           EXEC CICS READQ TS QUEUE('CMDBACK') INTO(BACK) LENGTH(LEN)
                ITEM(1) RESP(CK-RESP) END-EXEC
           IF CK-RESP = 0 MOVE 99 TO CK-WAITS END-IF
           END-PERFORM
           IF CK-RESP = 0 ADD BACK-COUNT TO CK-COUNT
           IF BACK-FAULTS NOT = 0
           MOVE BACK-FIRST TO CK-NAME
           PERFORM CHECK-FAULT
           END-IF
           END-IF
           EXEC CICS ASKTIME RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASKTIME'== ==:FN:== BY ==X'1002'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS ASKTIME ABSTIME(ABS-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='ASKTIME ABSTIME'==
               ==:FN:== BY ==X'4A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ABSTIME IS OF THIS CENTURY'==
               ==:TEST:== BY ==ABS-1 > 3900000000000 AND ABS-1 <
                 6311347200000==.
           MOVE 3155718896123 TO ABS-2
      * An area of as many bytes is taken as the documented form.
           EXEC CICS ASKTIME ABSTIME(ABS-BYTES) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ABSTIME OF BYTES'==
               ==:TEST:== BY ==ABS-3 NUMERIC AND ABS-3 >= ABS-1==.
           MOVE ABS-2 TO ABS-3
           EXEC CICS FORMATTIME ABSTIME(ABS-BYTES) YYYYMMDD(F-DATE)
                DAYCOUNT(COUNT-GROUP) END-EXEC
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYYYMMDD(F-TIME)
                DAYCOUNT(F-NUM) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FORMATTIME OF BYTES'==
               ==:TEST:== BY ==F-DATE (1:8) = F-TIME==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DAYCOUNT OF A GROUP'==
               ==:TEST:== BY ==COUNT-NUMBER = F-NUM==.
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYYYMMDD(F-DATE)
                DATESEP('-') TIME(F-TIME) TIMESEP(':') DAYOFWEEK(F-NUM)
                DAYOFMONTH(F-NUM-2) MONTHOFYEAR(F-NUM-3) YEAR(F-NUM-4)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME'== ==:FN:== BY ==X'4A04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FORMATTIME DATE'==
               ==:TEST:== BY ==F-DATE = '2000-01-01'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FORMATTIME TIME'==
               ==:TEST:== BY ==F-TIME = '12:34:56'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FORMATTIME NUMBERS'==
               ==:TEST:== BY ==F-NUM = 6 AND F-NUM-2 = 1 AND F-NUM-3 = 1
                 AND F-NUM-4 = 2000==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYMMDD(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME YYMMDD'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF YYMMDD'==
               ==:TEST:== BY ==F-DATE = '00-01-01'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) DDMMYYYY(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME DDMMYYYY'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF DDMMYYYY'==
               ==:TEST:== BY ==F-DATE = '01-01-2000'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) MMDDYYYY(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME MMDDYYYY'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF MMDDYYYY'==
               ==:TEST:== BY ==F-DATE = '01-01-2000'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYYYDDD(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME YYYYDDD'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF YYYYDDD'==
               ==:TEST:== BY ==F-DATE = '2000-001'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYDDD(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME YYDDD'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF YYDDD'==
               ==:TEST:== BY ==F-DATE = '00-001'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYYYDDMM(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME YYYYDDMM'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF YYYYDDMM'==
               ==:TEST:== BY ==F-DATE = '2000-01-01'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) DDMMYY(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME DDMMYY'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF DDMMYY'==
               ==:TEST:== BY ==F-DATE = '01-01-00'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) MMDDYY(F-DATE)
                DATESEP('-') RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME MMDDYY'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DATA OF MMDDYY'==
               ==:TEST:== BY ==F-DATE = '01-01-00'==.
           MOVE SPACES TO F-DATE
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYYYMMDD(F-DATE)
                MILLISECONDS(F-NUM) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='FORMATTIME NO SEPARATOR'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='FORMATTIME PLAIN'==
               ==:TEST:== BY ==F-DATE = '20000101' AND F-NUM = 123==.
           MOVE -1 TO ABS-2
           EXEC CICS FORMATTIME ABSTIME(ABS-2) YYYYMMDD(F-DATE)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FORMATTIME INVREQ'==
               ==:FN:== BY ==X'4A04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS WRITE OPERATOR TEXT(T-TEXT) TEXTLENGTH(30)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITE OPERATOR'==
               ==:FN:== BY ==X'6C02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS WRITE OPERATOR TEXT(T-TEXT) TEXTLENGTH(691)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITE OPERATOR 691 INVREQ'==
               ==:FN:== BY ==X'6C02'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS WRITE OPERATOR TEXT(T-TEXT) TEXTLENGTH(30)
                REPLY(REPLY) MAXLENGTH(10) REPLYLENGTH(F-NUM) TIMEOUT(1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='WRITE OPERATOR REPLY EXPIRED'==
               ==:FN:== BY ==X'6C02'== ==:RESP:== BY ==31==
               ==:RESP2:== BY ==7==.
           MOVE EIBTIME TO HHMMSS
           EXEC CICS DELAY TIME(HHMMSS) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELAY TIME PASSED EXPIRED'==
               ==:FN:== BY ==X'1004'== ==:RESP:== BY ==31==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'20'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
