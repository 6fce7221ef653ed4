       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDISSU.
      * Commands for other terminals than displays, in a task with a
      * 3270; MONITOR, INQUIRE NETNAME and INQUIRE DSNAME.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  NAME-8 PIC X(8) VALUE 'NOWHERE '.
       01  NET-8 PIC X(8).
       01  TERM-4 PIC X(4).
       01  AREA-1 PIC X(40) VALUE SPACES.
       01  DSN-44 PIC X(44).
       01  VALUE-1 PIC S9(8) COMP.
       01  RRN-1 PIC S9(8) COMP VALUE 1.
       01  LEN PIC S9(4) COMP VALUE 40.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ISSUE ABORT DESTID(NAME-8) DESTIDLENG(8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE ABORT'==
               ==:FN:== BY ==X'1E08'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE ADD DESTID(NAME-8) DESTIDLENG(8)
                VOLUME(NAME-8) VOLUMELENG(8) FROM(AREA-1) LENGTH(40)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE ADD'==
               ==:FN:== BY ==X'1E02'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE CONFIRMATION 
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE CONFIRMATION'==
               ==:FN:== BY ==X'0434'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE END 
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE END'==
               ==:FN:== BY ==X'1E0C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE ERASE DESTID(NAME-8) DESTIDLENG(8)
                VOLUME(NAME-8) VOLUMELENG(8) RIDFLD(RRN-1) RRN
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE ERASE'==
               ==:FN:== BY ==X'1E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE ERROR 
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE ERROR'==
               ==:FN:== BY ==X'0436'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE NOTE DESTID(NAME-8) DESTIDLENG(8)
                VOLUME(NAME-8) VOLUMELENG(8) RIDFLD(RRN-1) RRN
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE NOTE'==
               ==:FN:== BY ==X'1E10'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE PASS LUNAME(NAME-8) FROM(AREA-1) LENGTH(40)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE PASS'==
               ==:FN:== BY ==X'043A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE PREPARE 
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE PREPARE'==
               ==:FN:== BY ==X'0438'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE QUERY DESTID(NAME-8) DESTIDLENG(8)
                VOLUME(NAME-8) VOLUMELENG(8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE QUERY'==
               ==:FN:== BY ==X'1E0A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE RECEIVE INTO(AREA-1) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE RECEIVE'==
               ==:FN:== BY ==X'1E0E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE REPLACE DESTID(NAME-8) DESTIDLENG(8)
                VOLUME(NAME-8) VOLUMELENG(8) FROM(AREA-1) LENGTH(40)
                RIDFLD(RRN-1) RRN
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE REPLACE'==
               ==:FN:== BY ==X'1E06'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE SEND FROM(AREA-1) LENGTH(40)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE SEND'==
               ==:FN:== BY ==X'1E14'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE WAIT 
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE WAIT'==
               ==:FN:== BY ==X'1E12'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0==.
           EXEC CICS ISSUE ERROR CONVID(TERM-4)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ISSUE ERROR CONVID'==
               ==:FN:== BY ==X'0436'== ==:RESP:== BY ==61==
               ==:RESP2:== BY ==0==.
           EXEC CICS MONITOR POINT(255) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='MONITOR'==
               ==:FN:== BY ==X'4804'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS MONITOR POINT(256) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='MONITOR INVREQ'==
               ==:FN:== BY ==X'4804'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS ASSIGN NETNAME(NET-8) END-EXEC
           MOVE SPACES TO TERM-4
           EXEC CICS INQUIRE NETNAME(NET-8) TERMINAL(TERM-4)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE NETNAME'==
               ==:FN:== BY ==X'5216'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='INQUIRE NETNAME DATA'==
               ==:TEST:== BY ==TERM-4 = EIBTRMID==.
           EXEC CICS INQUIRE NETNAME(NAME-8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE NETNAME TERMIDERR'==
               ==:FN:== BY ==X'5216'== ==:RESP:== BY ==11==
               ==:RESP2:== BY ==-1==.
           MOVE 'NO.SUCH.SET' TO DSN-44
           EXEC CICS INQUIRE DSNAME(DSN-44) OBJECT(VALUE-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE DSNAME DSNNOTFOUND'==
               ==:FN:== BY ==X'7A02'== ==:RESP:== BY ==93==
               ==:RESP2:== BY ==-1==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
