       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDAGAN.
      * LINK again to a program that was changed since: what a task
      * has found of it is of no account then.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  COUNT-1 PIC S9(8) COMP.
       01  COUNT-2 PIC S9(8) COMP.
       01  AREA-1 PIC X(100).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='LINK, FIRST TIME'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE PROGRAM('CMDSUBX') USECOUNT(COUNT-1)
                RESP(CK-RESP) END-EXEC
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE PROGRAM('CMDSUBX') USECOUNT(COUNT-2)
                RESP(CK-RESP) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EACH LINK IS A USE'==
               ==:TEST:== BY ==COUNT-2 = COUNT-1 + 1==.
           EXEC CICS SET PROGRAM('CMDSUBX') DISABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM DISABLED'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='LINK, DISABLED'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2==.
           EXEC CICS SET PROGRAM('CMDSUBX') ENABLED RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='LINK, ENABLED AGAIN'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET PROGRAM('CMDSUBX') NEWCOPY RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM NEWCOPY, NOT IN USE'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS LINK PROGRAM('CMDSUBX') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='LINK, NEW COPY'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET PROGRAM('CMDAGAN') NEWCOPY RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET PROGRAM NEWCOPY, IN USE'==
               ==:FN:== BY ==X'4E04'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
