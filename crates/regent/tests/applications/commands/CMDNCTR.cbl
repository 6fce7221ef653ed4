       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDNCTR.
      * Named counters: fullwords, doublewords, pools.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  NUM PIC S9(8) COMP.
       01  LOW PIC S9(8) COMP.
       01  HIGH PIC S9(8) COMP.
       01  DNUM PIC 9(18) COMP-5.
       01  DLOW PIC 9(18) COMP-5.
       01  DHIGH PIC 9(18) COMP-5.
       01  DBYTES PIC X(8).
       01  CODE4 PIC X(4).
       01  NAME16 PIC X(16).
       01  POOL8 PIC X(8).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS DELETE COUNTER('CMDA')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('CMDB')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('CMDC')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('CMDD')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('CMDE')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('CMDF')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('CMDG')
                NOHANDLE END-EXEC
           EXEC CICS DELETE COUNTER('#$@_9ABCDEFGHIJK')
                NOHANDLE END-EXEC
      * Defaults of a fullword counter.
           EXEC CICS DELETE COUNTER('CMDA') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETE NOT FOUND'==
               ==:FN:== BY ==X'200A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS GET COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET NOT FOUND'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS QUERY COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY NOT FOUND'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS UPDATE COUNTER('CMDA') VALUE(1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE NOT FOUND'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS REWIND COUNTER('CMDA') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='REWIND NOT FOUND'==
               ==:FN:== BY ==X'200C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS DEFINE COUNTER('CMDA') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DEFINE COUNTER('CMDA') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE AGAIN'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==202==.
           EXEC CICS QUERY COUNTER('CMDA') VALUE(NUM) MINIMUM(LOW)
                MAXIMUM(HIGH) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY DATA1'==
               ==:TEST:== BY ==NUM = 0 AND LOW = 0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY DATA2'==
               ==:TEST:== BY ==HIGH = 2147483647==.
           EXEC CICS GET COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET DATA'==
               ==:TEST:== BY ==NUM = 0==.
           EXEC CICS GET COUNTER('CMDA') VALUE(NUM) NOSUSPEND
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET NEXT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET NEXT DATA'==
               ==:TEST:== BY ==NUM = 1==.
      * Assigned numbers stay assigned when the unit of work does not.
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           EXEC CICS GET COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET AFTER ROLLBACK'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET AFTER ROLLBACK DATA'==
               ==:TEST:== BY ==NUM = 2==.
      * Bounds: 10 to 14.
           EXEC CICS DEFINE COUNTER('CMDB') VALUE(9) MINIMUM(10)
                MAXIMUM(14) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE BELOW'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==405==.
           EXEC CICS DEFINE COUNTER('CMDB') VALUE(16) MINIMUM(10)
                MAXIMUM(14) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE ABOVE'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==405==.
           EXEC CICS DEFINE COUNTER('CMDB') VALUE(10) MINIMUM(10)
                MAXIMUM(9) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE TURNED'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==407==.
           EXEC CICS DEFINE COUNTER('CMDB') VALUE(15) MINIMUM(10)
                MAXIMUM(14) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE AT LIMIT'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS QUERY COUNTER('CMDB') VALUE(NUM) MINIMUM(LOW)
                MAXIMUM(HIGH) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY AT LIMIT'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY AT LIMIT DATA1'==
               ==:TEST:== BY ==NUM = 15 AND LOW = 10==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY AT LIMIT DATA2'==
               ==:TEST:== BY ==HIGH = 14==.
           MOVE 77 TO NUM
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET AT LIMIT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==101==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET AT LIMIT DATA'==
               ==:TEST:== BY ==NUM = 77==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(2) REDUCE
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET REDUCE AT LIMIT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==101==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(4) REDUCE
                WRAP RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET WRAP AT LIMIT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET WRAP AT LIMIT DATA'==
               ==:TEST:== BY ==NUM = 10==.
           EXEC CICS REWIND COUNTER('CMDB') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='REWIND TOO EARLY'==
               ==:FN:== BY ==X'200C'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==102==.
           EXEC CICS REWIND COUNTER('CMDB') INCREMENT(1) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='REWIND INCREMENT 1'==
               ==:FN:== BY ==X'200C'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==102==.
           EXEC CICS REWIND COUNTER('CMDB') INCREMENT(6) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='REWIND INCREMENT 6'==
               ==:FN:== BY ==X'200C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==406==.
           EXEC CICS REWIND COUNTER('CMDB') INCREMENT(2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='REWIND INCREMENT 2'==
               ==:FN:== BY ==X'200C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS QUERY COUNTER('CMDB') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY REWOUND'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY REWOUND DATA'==
               ==:TEST:== BY ==NUM = 10==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(6)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET INCREMENT 6'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==406==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(5)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET INCREMENT 5'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET INCREMENT 5 DATA'==
               ==:TEST:== BY ==NUM = 10==.
           EXEC CICS REWIND COUNTER('CMDB') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='REWIND AT LIMIT'==
               ==:FN:== BY ==X'200C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(3)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET INCREMENT 3'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET INCREMENT 3 DATA'==
               ==:TEST:== BY ==NUM = 10==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(3)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET REST TOO SHORT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==101==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(3) REDUCE
                WRAP RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET REDUCE'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET REDUCE DATA'==
               ==:TEST:== BY ==NUM = 13==.
           EXEC CICS QUERY COUNTER('CMDB') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY REDUCED'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY REDUCED DATA'==
               ==:TEST:== BY ==NUM = 15==.
      * UPDATE and the comparisons.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(9) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE BELOW'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==405==.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(16) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE ABOVE'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==405==.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(12) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) INCREMENT(4) WRAP
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET REST OF 3'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET REST OF 3 DATA'==
               ==:TEST:== BY ==NUM = 10==.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(12) COMPAREMIN(14)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE 12'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) COMPAREMIN(13)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET MIN 13'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) COMPAREMAX(11)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET MAX 11'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) COMPAREMIN(12)
                COMPAREMAX(12) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET MIN 12 MAX 12'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET MIN 12 MAX 12 DATA'==
               ==:TEST:== BY ==NUM = 12==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) COMPAREMIN(14)
                COMPAREMAX(12) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET OUTSIDE 12 14'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS GET COUNTER('CMDB') VALUE(NUM) COMPAREMIN(13)
                COMPAREMAX(12) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET OUTSIDE 12 13'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET OUTSIDE 12 13 DATA'==
               ==:TEST:== BY ==NUM = 13==.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(10) COMPAREMAX(13)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE MAX 13'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(10) COMPAREMIN(15)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE MIN 15'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS UPDATE COUNTER('CMDB') VALUE(10) COMPAREMIN(14)
                COMPAREMAX(14) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE MIN 14 MAX 14'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
      * Names of counters and pools.
           EXEC CICS DEFINE COUNTER('_CMD') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE _CMD'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE COUNTER('9CMD') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE 9CMD'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE COUNTER('CMD A') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE CMD A'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE COUNTER('CMD.A') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE CMD.A'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE COUNTER('cmda') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE cmda'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE COUNTER(' ') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE BLANK'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE COUNTER('#$@_9ABCDEFGHIJK') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE 16 CHARACTERS'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DEFINE COUNTER('CMDC') POOL('DFHNC.1')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='POOL DFHNC.1'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==403==.
           EXEC CICS DEFINE COUNTER('CMDC') POOL('DFHNC 1')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='POOL DFHNC 1'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==403==.
           EXEC CICS DEFINE COUNTER('CMDC') POOL('gena') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='POOL gena'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==403==.
      * DFHNC... is a pool, all else the pool of NCPLDFT.
           EXEC CICS GET COUNTER('CMDA') POOL('GENA') VALUE(NUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET POOL GENA'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDA') POOL('9_$') VALUE(NUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET POOL 9_$'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDA') POOL('DFHNCCMD') VALUE(NUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET POOL DEFAULT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET POOL DEFAULT DATA'==
               ==:TEST:== BY ==NUM = 5==.
           EXEC CICS GET COUNTER('CMDA') POOL('DFHNC001') VALUE(NUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET POOL DFHNC001'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS DELETE COUNTER('CMDA') POOL('DFHNCTWO')
                NOHANDLE END-EXEC
           EXEC CICS DEFINE COUNTER('CMDA') POOL('DFHNCTWO') VALUE(500)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DEFINE OTHER POOL'==
               ==:FN:== BY ==X'2004'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDA') POOL('DFHNCTWO') VALUE(NUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET OTHER POOL'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET OTHER POOL DATA'==
               ==:TEST:== BY ==NUM = 500==.
           EXEC CICS GET COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET FIRST POOL'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET FIRST POOL DATA'==
               ==:TEST:== BY ==NUM = 6==.
           MOVE 'CMDA' TO NAME16
           MOVE 'DFHNCTWO' TO POOL8
           EXEC CICS DELETE COUNTER(NAME16) POOL(POOL8) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DELETE OTHER POOL'==
               ==:FN:== BY ==X'200A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDA') POOL('DFHNCTWO') VALUE(NUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET DELETED'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
      * The limit of a counter with the default maximum is no fullword.
           EXEC CICS UPDATE COUNTER('CMDA') VALUE(2147483647)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='UPDATE TO MAXIMUM'==
               ==:FN:== BY ==X'2008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET MAXIMUM'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET MAXIMUM DATA'==
               ==:TEST:== BY ==NUM = 2147483647==.
           EXEC CICS QUERY COUNTER('CMDA') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY OVERFLOW'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY OVERFLOW DATA'==
               ==:TEST:== BY ==NUM = -2147483648==.
           EXEC CICS QUERY COUNTER('CMDA') MAXIMUM(HIGH) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY WITHOUT VALUE'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY WITHOUT VALUE DATA'==
               ==:TEST:== BY ==HIGH = 2147483647==.
      * Doublewords, and fullword requests for them.
           EXEC CICS DEFINE DCOUNTER('CMDD') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DEFINE'==
               ==:FN:== BY ==X'2014'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DEFINE DCOUNTER('CMDD') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DEFINE AGAIN'==
               ==:FN:== BY ==X'2014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==202==.
           EXEC CICS QUERY DCOUNTER('CMDD') VALUE(DNUM) MINIMUM(DLOW)
                MAXIMUM(DBYTES) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D QUERY'==
               ==:FN:== BY ==X'201E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D QUERY DATA1'==
               ==:TEST:== BY ==DNUM = 0 AND DLOW = 0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D QUERY DATA2'==
               ==:TEST:== BY ==DBYTES = X'FFFFFFFFFFFFFFFD'==.
           MOVE 4294967295 TO DNUM
           EXEC CICS UPDATE DCOUNTER('CMDD') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D UPDATE'==
               ==:FN:== BY ==X'2018'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDD') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET SIGN BIT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET SIGN BIT DATA'==
               ==:TEST:== BY ==NUM = -1==.
           EXEC CICS GET COUNTER('CMDD') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET ONE BIT MORE'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==2==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET ONE BIT MORE DATA'==
               ==:TEST:== BY ==NUM = 0==.
           MOVE 8589934591 TO DNUM
           EXEC CICS UPDATE DCOUNTER('CMDD') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D UPDATE 1FFFFFFFF'==
               ==:FN:== BY ==X'2018'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET COUNTER('CMDD') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET ONE BIT'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==2==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET ONE BIT DATA'==
               ==:TEST:== BY ==NUM = -1==.
           EXEC CICS GET COUNTER('CMDD') VALUE(NUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='GET TWO BITS'==
               ==:FN:== BY ==X'2006'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==3==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='GET TWO BITS DATA'==
               ==:TEST:== BY ==NUM = 0==.
           EXEC CICS QUERY COUNTER('CMDD') VALUE(NUM) MINIMUM(LOW)
                MAXIMUM(HIGH) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='QUERY THE WORST'==
               ==:FN:== BY ==X'200E'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==3==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY THE WORST DATA1'==
               ==:TEST:== BY ==NUM = 1 AND LOW = 0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='QUERY THE WORST DATA2'==
               ==:TEST:== BY ==HIGH = -3==.
           EXEC CICS GET DCOUNTER('CMDD') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D GET DATA'==
               ==:TEST:== BY ==DNUM = 8589934593==.
           MOVE X'FFFFFFFFFFFFFFFE' TO DBYTES
           EXEC CICS UPDATE DCOUNTER('CMDD') VALUE(DBYTES)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D UPDATE LIMIT'==
               ==:FN:== BY ==X'2018'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET DCOUNTER('CMDD') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET AT LIMIT'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==101==.
           EXEC CICS QUERY DCOUNTER('CMDD') VALUE(DBYTES) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D QUERY AT LIMIT'==
               ==:FN:== BY ==X'201E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D QUERY AT LIMIT DATA'==
               ==:TEST:== BY ==DBYTES = X'FFFFFFFFFFFFFFFE'==.
           MOVE X'FFFFFFFFFFFFFFFF' TO DBYTES
           EXEC CICS UPDATE DCOUNTER('CMDD') VALUE(DBYTES)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D UPDATE PAST LIMIT'==
               ==:FN:== BY ==X'2018'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==405==.
           EXEC CICS REWIND DCOUNTER('CMDD') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D REWIND'==
               ==:FN:== BY ==X'201C'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET DCOUNTER('CMDD') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET REWOUND'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D GET REWOUND DATA'==
               ==:TEST:== BY ==DNUM = 0==.
           MOVE 100000000000 TO DLOW
           MOVE 100000000004 TO DHIGH
           MOVE 5 TO DNUM
           EXEC CICS DEFINE DCOUNTER('CMDE') VALUE(DLOW) MINIMUM(DLOW)
                MAXIMUM(DHIGH) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DEFINE BOUNDS'==
               ==:FN:== BY ==X'2014'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS GET DCOUNTER('CMDE') VALUE(DNUM) INCREMENT(DNUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET INCREMENT'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D GET INCREMENT DATA'==
               ==:TEST:== BY ==DNUM = 100000000000==.
           MOVE 6 TO DNUM
           EXEC CICS GET DCOUNTER('CMDE') VALUE(DNUM) INCREMENT(DNUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET INCREMENT 6'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==406==.
           EXEC CICS REWIND DCOUNTER('CMDE') INCREMENT(DNUM)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D REWIND INCREMENT 6'==
               ==:FN:== BY ==X'201C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==406==.
           MOVE 2 TO DNUM
           EXEC CICS GET DCOUNTER('CMDE') VALUE(DNUM) INCREMENT(DNUM)
                WRAP RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET WRAP'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D GET WRAP DATA'==
               ==:TEST:== BY ==DNUM = 100000000000==.
           EXEC CICS GET DCOUNTER('CMDE') VALUE(DNUM) COMPAREMAX(DLOW)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET MAX'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS GET DCOUNTER('CMDE') VALUE(DNUM) COMPAREMIN(DLOW)
                COMPAREMAX(DHIGH) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET MIN'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='D GET MIN DATA'==
               ==:TEST:== BY ==DNUM = 100000000002==.
           EXEC CICS UPDATE DCOUNTER('CMDE') VALUE(DLOW)
                COMPAREMIN(DHIGH) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D UPDATE MIN'==
               ==:FN:== BY ==X'2018'== ==:RESP:== BY ==72==
               ==:RESP2:== BY ==103==.
           EXEC CICS DEFINE DCOUNTER('CMDF') VALUE(DLOW) MINIMUM(DHIGH)
                MAXIMUM(DLOW) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DEFINE TURNED'==
               ==:FN:== BY ==X'2014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==407==.
           EXEC CICS DEFINE DCOUNTER('_CMDF') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DEFINE NAME'==
               ==:FN:== BY ==X'2014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==404==.
           EXEC CICS DEFINE DCOUNTER('CMDF') POOL('A B') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DEFINE POOL'==
               ==:FN:== BY ==X'2014'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==403==.
           EXEC CICS DELETE DCOUNTER('CMDE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DELETE'==
               ==:FN:== BY ==X'201A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DELETE DCOUNTER('CMDE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D DELETE NOT FOUND'==
               ==:FN:== BY ==X'201A'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS GET DCOUNTER('CMDE') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D GET NOT FOUND'==
               ==:FN:== BY ==X'2016'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS QUERY DCOUNTER('CMDE') VALUE(DNUM) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D QUERY NOT FOUND'==
               ==:FN:== BY ==X'201E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS UPDATE DCOUNTER('CMDE') VALUE(DLOW) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D UPDATE NOT FOUND'==
               ==:FN:== BY ==X'2018'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
           EXEC CICS REWIND DCOUNTER('CMDE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='D REWIND NOT FOUND'==
               ==:FN:== BY ==X'201C'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==201==.
      * Nobody handles a condition: its default action.
           EXEC CICS DEFINE COUNTER('CMDG') VALUE(1) MAXIMUM(0)
                NOHANDLE END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY =='DEFINE MAXIMUM 0'==
               ==:TEST:== BY ==EIBRESP = 0==.
           EXEC CICS HANDLE CONDITION INVREQ(HANDLED) END-EXEC
           EXEC CICS DELETE COUNTER('CMDNONE') END-EXEC
           MOVE 'INVREQ IS HANDLED' TO CK-NAME
           PERFORM CHECK-FAULT.
       HANDLED.
           ADD 1 TO CK-COUNT
           EXEC CICS HANDLE ABEND LABEL(ABENDED) END-EXEC
           EXEC CICS GET COUNTER('CMDG') VALUE(NUM) END-EXEC
           MOVE 'SUPPRESSED ABENDS' TO CK-NAME
           PERFORM CHECK-FAULT.
       ABENDED.
           EXEC CICS ASSIGN ABCODE(CODE4) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY =='SUPPRESSED ABEND'==
               ==:TEST:== BY ==CODE4 = 'AEXW'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
