       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSTAT.
      * COLLECT, EXTRACT, PERFORM, INQUIRE and SET STATISTICS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  PTR-1 POINTER.
       01  PTR-2 POINTER.
       01  NOW-1 PIC S9(15) COMP-3.
       01  TIME-1 PIC S9(7) COMP-3.
       01  TIME-2 PIC S9(7) COMP-3.
       01  TIME-3 PIC S9(7) COMP-3 VALUE -1.
       01  TIME-8 PIC X(6).
       01  TIME-9 PIC S9(6).
       01  FULL-1 PIC S9(8) COMP.
       01  FULL-2 PIC S9(8) COMP VALUE -1.
       01  HOURS-1 PIC S9(8) COMP.
       01  MINUTES-1 PIC S9(8) COMP.
       01  NAME-8 PIC X(8) VALUE 'FIXED'.
       01  REC-80.
           05  R-KEY PIC X(8).
           05  FILLER PIC X(72) VALUE SPACES.
       01  REC-200 PIC X(200).
       LINKAGE SECTION.
       COPY DFHA17DS.
       COPY DFHA08DS.
       COPY DFHTSGDS.
       COPY DFHTQRDS.
       COPY DFHXMRDS.
       COPY DFHXMGDS.
       COPY DFHXMCDS.
       COPY DFHDSGDS.
       COPY DFHSMSDS.
       COPY DFHLDRDS.
       COPY DFHLGRDS.
       COPY DFHSTGDS.
       COPY DFHNQGDS.
       COPY DFHRMGDS.
       COPY DFHMNGDS.
       COPY DFHLDGDS.
       COPY DFHTQGDS.
       COPY DFHA06DS.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS PERFORM STATISTICS RECORD ALL RESETNOW
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PERFORM STATISTICS RESETNOW'==
               ==:FN:== BY ==X'7006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS ASKTIME ABSTIME(NOW-1) END-EXEC
           MOVE 'ZZSTAT01' TO R-KEY
           EXEC CICS WRITE FILE('FIXED') FROM(REC-80) RIDFLD(R-KEY)
                END-EXEC
           MOVE 'ZZSTAT02' TO R-KEY
           EXEC CICS WRITE FILE('FIXED') FROM(REC-80) RIDFLD(R-KEY)
                END-EXEC
           PERFORM 3 TIMES
               EXEC CICS READ FILE('FIXED') INTO(REC-80)
                    RIDFLD(R-KEY) END-EXEC
           END-PERFORM
           EXEC CICS READ FILE('FIXED') INTO(REC-80) UPDATE
                RIDFLD(R-KEY) END-EXEC
           EXEC CICS REWRITE FILE('FIXED') FROM(REC-80) END-EXEC
           EXEC CICS READ FILE('FIXED') INTO(REC-80) UPDATE
                RIDFLD(R-KEY) END-EXEC
           EXEC CICS DELETE FILE('FIXED') END-EXEC
           EXEC CICS COLLECT STATISTICS FILE('FIXED') SET(PTR-1)
                LASTRESET(TIME-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT FILE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA17DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT FILE HEAD'==
               ==:TEST:== BY ==A17LEN = LENGTH OF DFHA17DS AND
                 A17ID = 67 AND A17FNAM = 'FIXED' ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT FILE REQUESTS'==
               ==:TEST:== BY ==A17DSRD = 3 AND A17DSWRA = 2 AND
                 A17DSGU = 2 AND A17DSWRU = 1 AND A17DSDEL = 1 ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT FILE ATTRIBUTES'==
               ==:TEST:== BY ==A17DSNAM = 'CMD.FIXED' AND
                 A17DSTYP = 'KSDS' AND A17STRNO = 5 AND A17POOL = 1 AND
                 A17-FILE-DEFINE-SOURCE = 'COMMANDS' ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT FILE OPEN'==
               ==:TEST:== BY ==A17LOPNT NOT = LOW-VALUES AND
                 A17LCLST = LOW-VALUES ==.
           EXEC CICS FORMATTIME ABSTIME(NOW-1) TIME(TIME-8) END-EXEC
           MOVE TIME-8 TO TIME-9
           COMPUTE TIME-9 = TIME-9 - TIME-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='LASTRESET IS THAT TIME'==
               ==:TEST:== BY ==TIME-9 >= 0 AND TIME-9 < 100==.
           EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(FILE))
                RESID(NAME-8) SET(PTR-2) LASTRESETHRS(FULL-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT FILE'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA17DS TO PTR-2
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXTRACT FILE DATA'==
               ==:TEST:== BY ==A17FNAM = 'FIXED' AND A17DSRD = 3 AND
                 FULL-1 = FUNCTION INTEGER(TIME-1 / 10000) ==.
           EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(FILE))
                RESID('FIXEDXXX') RESIDLEN(5) SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT RESIDLEN'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(FILE))
                RESID('NOWHERE ') SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT FILE NOTFND'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(ENQUEUE))
                SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT ENQUEUE'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHNQGDS TO PTR-2
           SET PTR-2 UP BY LENGTH OF DFHNQGDS
           SET PTR-2 UP BY LENGTH OF NQGBODY
           SET ADDRESS OF NQGBODY TO PTR-2
           MOVE NQGTNQSI TO FULL-1
           EXEC CICS ENQ RESOURCE(NAME-8) LENGTH(8) END-EXEC
           EXEC CICS ENQ RESOURCE(NAME-8) LENGTH(8) NOSUSPEND
                END-EXEC
           EXEC CICS SYNCPOINT END-EXEC
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           EXEC CICS COLLECT STATISTICS ENQUEUE SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT ENQUEUE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHNQGDS TO PTR-2
           SET PTR-2 UP BY LENGTH OF DFHNQGDS
           SET PTR-2 UP BY LENGTH OF NQGBODY
           SET ADDRESS OF NQGBODY TO PTR-2
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT ENQUEUE HEAD'==
               ==:TEST:== BY ==NQGID = 97 AND NQGNPOOL = 2 AND
                 NQGLEN = LENGTH OF DFHNQGDS + 2 * LENGTH OF NQGBODY ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT ENQUEUE DATA'==
               ==:TEST:== BY ==NQGPOOL = 'EXECSTRN' AND
                 NQGTNQSI = FULL-1 + 2 AND NQGCNQSW = 0 ==.
           EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(RECOVERY))
                SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT RECOVERY'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHRMGDS TO PTR-2
           MOVE RMGSYFWD TO FULL-1
           MOVE RMGSYBWD TO FULL-2
           PERFORM 2 TIMES
               EXEC CICS SYNCPOINT END-EXEC
           END-PERFORM
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           EXEC CICS COLLECT STATISTICS RECOVERY SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT RECOVERY'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHRMGDS TO PTR-2
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT RECOVERY DATA'==
               ==:TEST:== BY ==RMGID = 99 AND
                 RMGSYFWD = FULL-1 + 2 AND RMGSYBWD = FULL-2 + 1 AND
                 RMGCSHIN = 0 ==.
           EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(FILE))
                SET(PTR-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT FILE ALL NOTFND'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==2==.
           MOVE -5 TO FULL-1
           EXEC CICS EXTRACT STATISTICS RESTYPE(FULL-1)
                SET(PTR-2) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='EXTRACT RESTYPE INVREQ'==
               ==:FN:== BY ==X'7026'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           EXEC CICS COLLECT STATISTICS FILE('NOWHERE')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT FILE NOTFND'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS COLLECT STATISTICS TDQUEUE
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TDQUEUE ALL'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHTQGDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TDQUEUE ALL DATA'==
               ==:TEST:== BY ==TQGID = 45 AND TQGANOSP = 0 AND
                 TQGANBFA = 3 AND TQGSNSTA = 3 AND TQGACISZ = 1536 ==.
           EXEC CICS WRITEQ TS QUEUE('CMSTMAIN') FROM(REC-80) MAIN
                END-EXEC
           EXEC CICS WRITEQ TS QUEUE('CMSTAUX') FROM(REC-80)
                AUXILIARY END-EXEC
           EXEC CICS WRITEQ TS QUEUE('CMSTAUX') FROM(REC-80)
                AUXILIARY END-EXEC
           EXEC CICS READQ TS QUEUE('CMSTAUX') INTO(REC-80) ITEM(1)
                END-EXEC
           EXEC CICS READQ TS QUEUE('CMSTMAIN') INTO(REC-80) ITEM(1)
                END-EXEC
           EXEC CICS COLLECT STATISTICS TSQUEUE
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TSQUEUE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHTSGDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TSQUEUE REQUESTS'==
               ==:TEST:== BY ==TSGSTA5F = 1 AND TSGSTA7F = 2 AND
                 TSGNAG = 1 AND TSGNMG = 1 AND TSGSTA3F = 2 ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TSQUEUE LIMITS'==
               ==:TEST:== BY ==TSGTSMLM = 1048576 AND TSGQINH = 2 AND
                 TSGLAR = 80 AND TSGID = 48 AND TSGTSMUS > 0 AND
                 TSGTSMUS NOT > TSGTSMAX ==.
           EXEC CICS DELETEQ TS QUEUE('CMSTMAIN') END-EXEC
           EXEC CICS DELETEQ TS QUEUE('CMSTAUX') END-EXEC
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(REC-80) END-EXEC
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(REC-80) END-EXEC
           EXEC CICS READQ TD QUEUE('CMDT') INTO(REC-80) END-EXEC
           EXEC CICS COLLECT STATISTICS TDQUEUE('CMDT')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TDQUEUE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHTQRDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TDQUEUE DATA'==
               ==:TEST:== BY ==TQRQID = 'CMDT' AND TQRID = 42 AND
                 TQRWRITE = 2 AND TQRREAD = 1 AND TQRQTYPE = X'02' AND
                 TQRCCIUS = 1 AND TQRPCIUS = 1 ==.
           EXEC CICS DELETEQ TD QUEUE('CMDT') END-EXEC
           EXEC CICS COLLECT STATISTICS TDQUEUE('NONE')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TDQUEUE NOTFND'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS COLLECT STATISTICS TRANSACTION('CMST')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TRANSACTION'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHXMRDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TRANSACTION DATA'==
               ==:TEST:== BY ==XMRTI = 'CMST' AND XMRPN = 'CMDSTAT' AND
                 XMRAC = 0 AND XMRID = 11 ==.
           EXEC CICS START TRANSID('CMSS') END-EXEC
           EXEC CICS DELAY FOR MILLISECS(500) END-EXEC
           EXEC CICS COLLECT STATISTICS TRANSACTION('CMSS')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TRANSACTION STARTED'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHXMRDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TRANSACTION ATTACHES'==
               ==:TEST:== BY ==XMRAC = 1 AND XMRAENDC = 0==.
           EXEC CICS COLLECT STATISTICS TRANSACTION
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TRANSACTION ALL'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHXMGDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TRANSACTION ALL DATA'==
               ==:TEST:== BY ==XMGID = 10 AND XMGMXT > 9 AND
                 XMGCAT > 0 AND XMGPAT NOT < XMGCAT AND XMGTAT = 1 AND
                 XMGTNUM > 20 ==.
           EXEC CICS COLLECT STATISTICS MONITOR SET(PTR-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT MONITOR'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHMNGDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT MONITOR DATA'==
               ==:TEST:== BY ==MNGID = 81 AND MNGUTNUM = 1 AND
                 MNGPUTRT = MNGAUTRT AND MNGPUTRT NOT = LOW-VALUES AND
                 MNGLUTCL NOT = LOW-VALUES ==.
           EXEC CICS COLLECT STATISTICS TERMINAL('NONE') SET(PTR-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TERMINAL NOTFND'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS COLLECT STATISTICS TERMINAL(EIBTRMID)
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TERMINAL'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA06DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TERMINAL DATA'==
               ==:TEST:== BY ==A06TETI = EIBTRMID AND A06ID = 34 AND
                 A06LUNAM NOT = SPACES AND A06ONTM NOT = LOW-VALUES AND
                 A06TENI = 0 AND A06OFFTM = LOW-VALUES ==.
           EXEC CICS COLLECT STATISTICS TRANCLASS('CMSTCLAS')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TRANCLASS'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHXMCDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT TRANCLASS DATA'==
               ==:TEST:== BY ==XMCTCL = 'CMSTCLAS' AND XMCMXT = 7 AND
                 XMCITD = 1 AND XMCTAT = 1 AND XMCAI = 1 ==.
           EXEC CICS COLLECT STATISTICS TCLASS(1)
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT TCLASS NOTFND'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS COLLECT STATISTICS DISPATCHER
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT DISPATCHER'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHDSGDS TO PTR-1
           COMPUTE FULL-1 = LENGTH OF DFHDSGDS +
               DSGASIZE * LENGTH OF DSGTCBM +
               DSGPSIZE * LENGTH OF DSGTCBP
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT DISPATCHER HEAD'==
               ==:TEST:== BY ==DSGLEN = FULL-1 AND DSGID = 57 AND
                 DSGASIZE = 18 AND DSGPSIZE = 4 AND DSGCNT > 0 ==.
           SET ADDRESS OF DSGTCBM TO PTR-1
           SET PTR-1 UP BY DSGGLEN
           SET ADDRESS OF DSGTCBM TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT DISPATCHER QR'==
               ==:TEST:== BY ==DSGTCBNM = 'QR' AND DSGTCBCA = 1==.
           EXEC CICS COLLECT STATISTICS STORAGE
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT STORAGE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHSMSDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT STORAGE HEAD'==
               ==:TEST:== BY ==SMSID = 29 AND SMSNPAGP = 11 AND
                 SMSEDSALIMIT > 0 AND SMSEDSATOTAL > 0 AND
                 SMSHWMEDSATOTAL NOT < SMSEDSATOTAL ==.
           SET PTR-1 UP BY SMSGBLLEN
           SET ADDRESS OF SMSBODY TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT STORAGE CDSA'==
               ==:TEST:== BY ==SMSDSANAME = 'CDSA'==.
           EXEC CICS COLLECT STATISTICS LSRPOOL(1)
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT LSRPOOL'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA08DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT LSRPOOL DATA'==
               ==:TEST:== BY ==A08SRPID = 1 AND A08ID = 39 AND
                 A08BKSTN > 0 AND A08TOBFN-DATA > 0 AND
                 A08TOBFF-DATA + A08TOFRD-DATA > 0 ==.
           SET PTR-1 UP BY LENGTH OF DFHA08DS
           SET ADDRESS OF A08BSSDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT LSRPOOL SIZES'==
               ==:TEST:== BY ==A08BKBSZ = 512==.
           EXEC CICS COLLECT STATISTICS LSRPOOL(200)
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT LSRPOOL NOTFND'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS COLLECT STATISTICS PROGRAM('CMDSTSB')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT PROGRAM'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHLDRDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT PROGRAM DATA'==
               ==:TEST:== BY ==LDRPNAME = 'CMDSTSB' AND LDRTU = 1 AND
                 LDRID = 25 AND LDRPSIZE > 0 ==.
           EXEC CICS COLLECT STATISTICS PROGRAM SET(PTR-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT PROGRAM ALL'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHLDGDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT PROGRAM ALL DATA'==
               ==:TEST:== BY ==LDGID = 30 AND LDGLLR > 0 AND
                 LDGLLT > 0 AND LDGPUSES > LDGLLR ==.
           EXEC CICS WRITE JOURNALNAME('CMSTJRN') JTYPEID('XX')
                FROM(REC-80) FLENGTH(80) WAIT END-EXEC
           EXEC CICS COLLECT STATISTICS JOURNALNAME('CMSTJRN')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT JOURNALNAME'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHLGRDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT JOURNALNAME DATA'==
               ==:TEST:== BY ==LGRJNLNAME = 'CMSTJRN' AND LGRID = 93
                 AND LGRWRITES = 1 AND LGRBYTES NOT < 80 ==.
           EXEC CICS READ FILE('VARIES') INTO(REC-200) RIDFLD(R-KEY)
                RESP(CK-RESP) END-EXEC
           EXEC CICS SYNCPOINT END-EXEC
           EXEC CICS COLLECT STATISTICS FILE('VARIES')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT BEFORE CLOSE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA17DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COUNTED BEFORE CLOSE'==
               ==:TEST:== BY ==A17DSRD = 1==.
           EXEC CICS SET FILE('VARIES') CLOSED END-EXEC
           EXEC CICS COLLECT STATISTICS FILE('VARIES')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT AFTER CLOSE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA17DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COUNTED ANEW AFTER CLOSE'==
               ==:TEST:== BY ==A17DSRD = 0 AND
                 A17LCLST NOT = LOW-VALUES AND A17DSTYP = SPACES ==.
           EXEC CICS SET FILE('VARIES') OPEN ENABLED END-EXEC
           EXEC CICS PERFORM STATISTICS RECORD TSQUEUE TRANSACTION
                ENQUEUE RECOVERY MONITOR TERMINAL
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='PERFORM STATISTICS TYPES'==
               ==:FN:== BY ==X'7006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS COLLECT STATISTICS STATS
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT STATS'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHSTGDS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='COLLECT STATS DATA'==
               ==:TEST:== BY ==STGID = 66 AND STGUSSR = 1 AND
                 STGREQR > 2 AND STGINTR = 0 AND STGSTRCD = X'00' AND
                 STGEODT = '00:00:00' ==.
           EXEC CICS INQUIRE STATISTICS ENDOFDAY(TIME-1)
                INTERVAL(TIME-2) NEXTTIME(TIME-3) RECORDING(FULL-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE STATISTICS'==
               ==:FN:== BY ==X'7002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='INQUIRE STATISTICS DATA'==
               ==:TEST:== BY ==TIME-1 = 0 AND TIME-2 = 30000 AND
                 TIME-3 = 0 AND FULL-1 = DFHVALUE(OFF) ==.
           EXEC CICS SET STATISTICS INTERVAL(20000) ENDOFDAYHRS(17)
                ON RESETNOW RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET STATISTICS'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE STATISTICS ENDOFDAY(TIME-1)
                INTERVALHRS(HOURS-1) INTERVALMINS(MINUTES-1)
                NEXTTIMEMINS(FULL-2) RECORDING(FULL-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE STATISTICS AGAIN'==
               ==:FN:== BY ==X'7002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SET STATISTICS DATA'==
               ==:TEST:== BY ==TIME-1 = 170000 AND HOURS-1 = 2 AND
                 MINUTES-1 = 0 AND FULL-2 = 0 AND
                 FULL-1 = DFHVALUE(ON) ==.
           EXEC CICS COLLECT STATISTICS FILE('FIXED')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT AFTER RESETNOW'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA17DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RESETNOW RESET'==
               ==:TEST:== BY ==A17DSRD = 0 AND A17DSWRA = 0==.
           EXEC CICS READ FILE('FIXED') INTO(REC-80)
                RIDFLD(R-KEY) RESP(CK-RESP) END-EXEC
           EXEC CICS SET STATISTICS ON RESETNOW
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET STATISTICS NO CHANGE'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS COLLECT STATISTICS FILE('FIXED')
                SET(PTR-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='COLLECT WITHOUT CHANGE'==
               ==:FN:== BY ==X'7008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           SET ADDRESS OF DFHA17DS TO PTR-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='NO RESET WITHOUT CHANGE'==
               ==:TEST:== BY ==A17DSRD = 1==.
           EXEC CICS SET STATISTICS INTERVAL(6000)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET INTERVAL INVREQ'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET STATISTICS INTERVALSECS(59)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET INTERVALSECS INVREQ'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET STATISTICS INTERVAL(250000)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET INTERVAL DAY INVREQ'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS SET STATISTICS ENDOFDAY(240000)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENDOFDAY INVREQ'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS SET STATISTICS ENDOFDAYMINS(-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENDOFDAYMINS INVREQ'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS SET STATISTICS RECORDING(DFHVALUE(OPEN))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET RECORDING INVREQ'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS SET STATISTICS INTERVALMINS(90) ENDOFDAY(0)
                RECORDING(DFHVALUE(OFF)) RECORDNOW
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET STATISTICS OFF'==
               ==:FN:== BY ==X'7004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE STATISTICS ENDOFDAYHRS(FULL-2)
                INTERVAL(TIME-2) RECORDING(FULL-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE STATISTICS OFF'==
               ==:FN:== BY ==X'7002'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='SET STATISTICS OFF DATA'==
               ==:TEST:== BY ==FULL-2 = 0 AND TIME-2 = 13000 AND
                 FULL-1 = DFHVALUE(OFF) ==.
           MOVE 'ZZSTAT01' TO R-KEY
           EXEC CICS DELETE FILE('FIXED') RIDFLD(R-KEY)
                END-EXEC
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
