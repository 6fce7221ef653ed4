       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDASGN.
      * Every option of ASSIGN, at a terminal and in a started task:
      * which have no meaning there, and RESP2.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  H-1 PIC S9(4) COMP.
       01  F-1 PIC S9(8) COMP.
       01  X-1 PIC X(128).
       01  T-RESP PIC S9(8) COMP VALUE 0.
       01  T-RESP2 PIC S9(8) COMP VALUE 0.
       01  CODE-2 PIC X(2).
       01  LEN PIC S9(4) COMP.
       01  BACK.
           05  BACK-COUNT PIC 9(4).
           05  BACK-FAULTS PIC 9(4).
           05  BACK-FIRST PIC X(79).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ASSIGN STARTCODE(CODE-2) END-EXEC
           IF CODE-2 NOT = 'TD' MOVE 16 TO T-RESP MOVE 5 TO T-RESP2
                END-IF
           EXEC CICS ASSIGN ABCODE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ABCODE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ABDUMP(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ABDUMP'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ABOFFSET(F-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ABOFFSET'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ABPROGRAM(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ABPROGRAM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ACTIVITY(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ACTIVITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ACTIVITYID(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ACTIVITYID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ALTSCRNHT(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ALTSCRNHT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN ALTSCRNWD(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ALTSCRNWD'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN APLKYBD(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN APLKYBD'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN APLTEXT(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN APLTEXT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN APPLICATION(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN APPLICATION'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN APPLID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN APPLID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRAINTRPT(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRAINTRPT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRAKEY(F-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRAKEY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRAPSW(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRAPSW'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRAPSW16(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRAPSW16'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRAREGS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRAREGS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRAREGS64(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRAREGS64'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRASPC(F-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRASPC'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ASRASTG(F-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ASRASTG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN BRIDGE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN BRIDGE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN BTRANS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN BTRANS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN CHANNEL(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN CHANNEL'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN CMDSEC(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN CMDSEC'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN COLOR(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN COLOR'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN CWALENG(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN CWALENG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN DEFSCRNHT(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DEFSCRNHT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN DEFSCRNWD(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DEFSCRNWD'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN DELIMITER(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DELIMITER'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN DESTCOUNT(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DESTCOUNT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS ASSIGN DESTID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DESTID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS ASSIGN DESTIDLENG(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DESTIDLENG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS ASSIGN DSSCS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DSSCS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN DS3270(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN DS3270'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN ERRORMSG(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ERRORMSG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ERRORMSGLEN(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ERRORMSGLEN'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN EWASUPP(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN EWASUPP'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN EXTDS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN EXTDS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN FACILITY(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN FACILITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN FCI(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN FCI'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN GCHARS(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN GCHARS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN GCODES(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN GCODES'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN GMMI(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN GMMI'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN GMEXITOPT(F-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN GMEXITOPT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN HILIGHT(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN HILIGHT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN INITPARM(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN INITPARM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN INITPARMLEN(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN INITPARMLEN'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN INPARTN(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN INPARTN'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN INPUTMSGLEN(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN INPUTMSGLEN'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN INVOKINGPROG(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN INVOKINGPROG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN KATAKANA(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN KATAKANA'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN LANGINUSE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN LANGINUSE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN LDCMNEM(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN LDCMNEM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN LDCNUM(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN LDCNUM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN LINKLEVEL(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN LINKLEVEL'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN LOCALCCSID(F-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN LOCALCCSID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN MAJORVERSION(F-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MAJORVERSION'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN MAPCOLUMN(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MAPCOLUMN'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN MAPHEIGHT(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MAPHEIGHT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN MAPLINE(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MAPLINE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN MAPWIDTH(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MAPWIDTH'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN MICROVERSION(F-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MICROVERSION'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN MINORVERSION(F-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MINORVERSION'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN MSRCONTROL(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN MSRCONTROL'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN NATLANGINUSE(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN NATLANGINUSE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN NETNAME(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN NETNAME'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN NEXTTRANSID(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN NEXTTRANSID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN NUMTAB(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN NUMTAB'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN OPCLASS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN OPCLASS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN OPERATION(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN OPERATION'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN OPERKEYS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN OPERKEYS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN OPID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN OPID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN OPSECURITY(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN OPSECURITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN ORGABCODE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN ORGABCODE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN OUTLINE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN OUTLINE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN PAGENUM(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PAGENUM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN PARTNPAGE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PARTNPAGE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ASSIGN PARTNS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PARTNS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN PARTNSET(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PARTNSET'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN PLATFORM(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PLATFORM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN PRINSYSID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PRINSYSID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN PROCESS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PROCESS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN PROCESSTYPE(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PROCESSTYPE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN PROGRAM(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PROGRAM'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN PS(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN PS'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN QNAME(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN QNAME'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           EXEC CICS ASSIGN RESSEC(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN RESSEC'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN RESTART(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN RESTART'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN RETURNPROG(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN RETURNPROG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN SCRNHT(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN SCRNHT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN SCRNWD(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN SCRNWD'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN SIGDATA(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN SIGDATA'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN SOSI(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN SOSI'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN STARTCODE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN STARTCODE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN STATIONID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN STATIONID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN SYSID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN SYSID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN TASKPRIORITY(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TASKPRIORITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN TCTUALENG(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TCTUALENG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN TELLERID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TELLERID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TERMCODE(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TERMCODE'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TERMPRIORITY(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TERMPRIORITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TEXTKYBD(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TEXTKYBD'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TEXTPRINT(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TEXTPRINT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TNADDR(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TNADDR'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TNIPFAMILY(F-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TNIPFAMILY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TNPORT(F-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TNPORT'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN TRANPRIORITY(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TRANPRIORITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN TWALENG(H-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN TWALENG'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN UNATTEND(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN UNATTEND'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           EXEC CICS ASSIGN USERID(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN USERID'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN USERNAME(X-1) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN USERNAME'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN USERPRIORITY(H-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN USERPRIORITY'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASSIGN VALIDATION(X-1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ASSIGN VALIDATION'==
               ==:FN:== BY ==X'0208'== ==:RESP:== BY ==T-RESP==
               ==:RESP2:== BY ==T-RESP2==.
           IF CODE-2 NOT = 'TD'
           PERFORM CHECK-HEADING
           EXEC CICS WRITEQ TS QUEUE('CMDASGN') FROM(CK-RESULT)
                LENGTH(87) END-EXEC
           EXEC CICS RETURN END-EXEC
           END-IF
           EXEC CICS DELETEQ TS QUEUE('CMDASGN') NOHANDLE END-EXEC
           EXEC CICS START TRANSID(EIBTRNID) END-EXEC
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 300
           MOVE LENGTH OF BACK TO LEN
           EXEC CICS READQ TS QUEUE('CMDASGN') INTO(BACK) LENGTH(LEN)
                ITEM(1) NOHANDLE END-EXEC
           IF EIBRESP = 0 MOVE 999 TO CK-WAITS ELSE
           EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
           END-IF
           END-PERFORM
           IF CK-WAITS > 900 ADD BACK-COUNT TO CK-COUNT
           IF BACK-FAULTS NOT = 0 MOVE BACK-FIRST TO CK-NAME PERFORM
                CHECK-FAULT END-IF END-IF
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
