       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDASYN.
      * RUN TRANSID, FETCH CHILD, FETCH ANY and FREE CHILD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  TOKEN-1 PIC X(16).
       01  TOKEN-2 PIC X(16).
       01  TOKEN-GOT PIC X(16).
       01  CHANNEL-GOT PIC X(16).
       01  CHANNEL-2 PIC X(16).
       01  STATUS-1 PIC S9(8) COMP.
       01  ABCODE-1 PIC X(4).
       01  WHAT PIC X(4).
       01  FLEN PIC S9(8) COMP.
       01  TIME-OUT PIC S9(8) COMP.
       01  OUTPUT-1 PIC X(20).
       01  SEEN.
           05  SEEN-CHANNEL PIC X(16).
           05  SEEN-STARTCODE PIC X(2).
           05  SEEN-PARENT PIC X(4).
           05  SEEN-PARENT-TASK PIC S9(8) COMP.
           05  SEEN-COUNT PIC S9(8) COMP.
           05  SEEN-FACILITY PIC S9(8) COMP.
           05  SEEN-USER PIC X(8).
       01  USER-1 PIC X(8).
       01  TASK-1 PIC S9(8) COMP.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE ALL 'X' TO TOKEN-1
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH ANY WITHOUT CHILDREN'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==52==.
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH CHILD OF NO TOKEN'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==50==.
           EXEC CICS FREE CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FREE CHILD OF NO TOKEN'==
               ==:FN:== BY ==X'3446'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==50==.
           EXEC CICS RUN TRANSID('CMQQ') CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID UNKNOWN'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==28==
               ==:RESP2:== BY ==1==.
           EXEC CICS RUN TRANSID('CMAZ') CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID DISABLED'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==84==
               ==:RESP2:== BY ==1==.
           EXEC CICS RUN TRANSID('CMFR') CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID OF ANOTHER SYSTEM'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==1==.
           EXEC CICS RUN TRANSID('CMAC') CHANNEL('A B') CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID CHANNEL NAME'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==122==
               ==:RESP2:== BY ==1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='NOTHING RAN'==
               ==:TEST:== BY ==TOKEN-1 = ALL 'X'==.
           MOVE 'NORM' TO WHAT
           EXEC CICS PUT CONTAINER('DO') CHANNEL('CMDASYN') FROM(WHAT)
                FLENGTH(4)
                END-EXEC
           EXEC CICS RUN TRANSID('CMAC') CHANNEL('CMDASYN')
                   CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='A TOKEN'==
               ==:TEST:== BY ==TOKEN-1 NOT = ALL 'X'==.
           MOVE SPACES TO CHANNEL-GOT
           MOVE 'XXXX' TO ABCODE-1
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                CHANNEL(CHANNEL-GOT) ABCODE(ABCODE-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH CHILD'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='IT ENDED NORMALLY'==
               ==:TEST:== BY ==STATUS-1 = DFHVALUE(NORMAL)
                   AND ABCODE-1 = SPACES==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='A REPLY CHANNEL'==
               ==:TEST:== BY ==CHANNEL-GOT NOT = SPACES
                   AND CHANNEL-GOT NOT = 'CMDASYN'==.
           MOVE LENGTH OF SEEN TO FLEN
           EXEC CICS GET CONTAINER('SEEN')
                   CHANNEL(CHANNEL-GOT) INTO(SEEN)
                FLENGTH(FLEN)
                END-EXEC
           EXEC CICS ASSIGN USERID(USER-1)
                END-EXEC
           MOVE EIBTASKN TO TASK-1
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='THE CHILD SAW ITS CHANNEL'==
               ==:TEST:== BY ==SEEN-CHANNEL = 'CMDASYN'
                   AND SEEN-STARTCODE = 'U'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='PREVIOUS TRANSACTION DATA'==
               ==:TEST:== BY ==SEEN-PARENT = 'CMAY'
                   AND SEEN-COUNT = 1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ITS PARENT'==
               ==:TEST:== BY ==SEEN-PARENT-TASK = TASK-1
                   AND SEEN-USER = USER-1==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ITS FACILITY TYPE'==
               ==:TEST:== BY ==SEEN-FACILITY = DFHVALUE(ASRUNTRAN)==.
           MOVE 4 TO FLEN
           EXEC CICS GET CONTAINER('DO') CHANNEL('CMDASYN') INTO(WHAT)
                FLENGTH(FLEN)
                END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='THE CHILD HAD A COPY'==
               ==:TEST:== BY ==WHAT = 'NORM'==.
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH CHILD AGAIN'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                CHANNEL(CHANNEL-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='CHANNEL AGAIN'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==51==.
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH ANY AFTER ALL'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           MOVE 40800000 TO TIME-OUT
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                TIMEOUT(TIME-OUT)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='LONGEST TIMEOUT'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 40800001 TO TIME-OUT
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                TIMEOUT(TIME-OUT)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='TIMEOUT TOO LONG'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==241==.
           MOVE -1 TO TIME-OUT
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                TIMEOUT(TIME-OUT)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='TIMEOUT NEGATIVE'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==241==.
           MOVE 'ABND' TO WHAT
           EXEC CICS PUT CONTAINER('DO') CHANNEL('CMDASYN') FROM(WHAT)
                FLENGTH(4)
                END-EXEC
           EXEC CICS RUN TRANSID('CMAC') CHANNEL('CMDASYN')
                   CHILD(TOKEN-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID THAT ABENDS'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                ABCODE(ABCODE-1) CHANNEL(CHANNEL-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH ANY'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='IT ABENDED'==
               ==:TEST:== BY ==STATUS-1 = DFHVALUE(ABEND)
                   AND ABCODE-1 = 'BADC'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ITS TOKEN'==
               ==:TEST:== BY ==TOKEN-GOT = TOKEN-2
                   AND TOKEN-2 NOT = TOKEN-1==.
           EXEC CICS RUN TRANSID('CMAC') CHILD(TOKEN-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID WITHOUT CHANNEL'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FETCH CHILD(TOKEN-2) COMPSTATUS(STATUS-1)
                CHANNEL(CHANNEL-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH OF NO CHANNEL'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='NO CHANNEL'==
               ==:TEST:== BY ==CHANNEL-2 = SPACES==.
           MOVE 'WAIT' TO WHAT
           EXEC CICS PUT CONTAINER('DO') CHANNEL('CMDASYN') FROM(WHAT)
                FLENGTH(4)
                END-EXEC
           EXEC CICS RUN TRANSID('CMAC') CHANNEL('CMDASYN')
                   CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID THAT WAITS'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 50 TO TIME-OUT
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                NOSUSPEND
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH CHILD NOSUSPEND'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==113==
               ==:RESP2:== BY ==52==.
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                TIMEOUT(TIME-OUT)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH CHILD TIMEOUT'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==113==
               ==:RESP2:== BY ==53==.
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                NOSUSPEND
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH ANY NOSUSPEND'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==113==
               ==:RESP2:== BY ==52==.
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                TIMEOUT(TIME-OUT)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH ANY TIMEOUT'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==113==
               ==:RESP2:== BY ==53==.
           EXEC CICS RUN TRANSID('CMAC') CHILD(TOKEN-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID AFTER IT'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FETCH ANY(TOKEN-GOT) COMPSTATUS(STATUS-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH ANY OF TWO'==
               ==:FN:== BY ==X'3444'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='THE FIRST TO END'==
               ==:TEST:== BY ==TOKEN-GOT = TOKEN-2==.
           EXEC CICS FREE CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FREE CHILD'==
               ==:FN:== BY ==X'3446'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FREE CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FREE CHILD AGAIN'==
               ==:FN:== BY ==X'3446'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==50==.
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH OF A FREED CHILD'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==50==.
           MOVE 'TRAN' TO WHAT
           EXEC CICS PUT CONTAINER('DO') CHANNEL('DFHTRANSACTION')
                FROM(WHAT) FLENGTH(4)
                END-EXEC
           EXEC CICS RUN TRANSID('CMAC') CHANNEL('DFHTRANSACTION')
                CHILD(TOKEN-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='RUN TRANSID DFHTRANSACTION'==
               ==:FN:== BY ==X'343E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS FETCH CHILD(TOKEN-1) COMPSTATUS(STATUS-1)
                CHANNEL(CHANNEL-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='FETCH DFHTRANSACTION'==
               ==:FN:== BY ==X'3442'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE 20 TO FLEN
           EXEC CICS GET CONTAINER('OUT')
                   CHANNEL(CHANNEL-2) INTO(OUTPUT-1)
                FLENGTH(FLEN)
                END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='THE TRANSACTION CHANNEL'==
               ==:TEST:== BY ==OUTPUT-1 (1:4) = 'TRAN'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
