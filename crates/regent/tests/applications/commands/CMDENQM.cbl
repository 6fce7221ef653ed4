       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDENQM.
      * ENQMODEL: which ENQ is accepted, INQUIRE, SET and DISCARD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  C-1 PIC S9(8) COMP.
       01  NAME-1 PIC X(8).
       01  ENQ-NAME PIC X(255).
       01  SCOPE PIC X(4).
       01  C-2 PIC S9(8) COMP.
       01  CODE-1 PIC X(4) VALUE SPACES.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS INQUIRE ENQMODEL('CMDNQ1') ENQNAME(ENQ-NAME)
                ENQSCOPE(SCOPE) STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE ENQMODEL'==
               ==:FN:== BY ==X'9082'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQMODEL: NAME, SCOPE, STATUS'==
               ==:TEST:== BY ==ENQ-NAME = 'CMDQ*' AND
                 SCOPE = SPACES AND C-1 = DFHVALUE(ENABLED)==.
           EXEC CICS INQUIRE ENQMODEL('NOWHERE') STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='INQUIRE ENQMODEL NOTFND'==
               ==:FN:== BY ==X'9082'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS ENQ RESOURCE('CMDQABC') LENGTH(7)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENQ OF AN ENABLED MODEL'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET ENQMODEL('CMDNQ1') DISABLED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENQMODEL DISABLED'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS INQUIRE ENQMODEL('CMDNQ1') STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='A MODEL WITH ENQUEUES WAITS'==
               ==:TEST:== BY ==C-1 = DFHVALUE(WAITING)==.
           EXEC CICS SET ENQMODEL('CMDNQ1') ENABLED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENQMODEL, WAITING'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==4==.
           EXEC CICS HANDLE ABEND LABEL(REFUSED-1) END-EXEC
           EXEC CICS ENQ RESOURCE('CMDQZ') LENGTH(5) END-EXEC
           MOVE 'NONE' TO CODE-1
           GO TO WAITED.
       REFUSED-1.
           EXEC CICS ASSIGN ABCODE(CODE-1) END-EXEC.
       WAITED.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQ OF A WAITING MODEL'==
               ==:TEST:== BY ==CODE-1 = 'ANQE' ==.
           EXEC CICS DEQ RESOURCE('CMDQABC') LENGTH(7)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE ENQMODEL('CMDNQ1') STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='WITHOUT ENQUEUES: DISABLED'==
               ==:TEST:== BY ==C-1 = DFHVALUE(DISABLED)==.
           EXEC CICS SET ENQMODEL('CMDNQ2') ENABLED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='THE SPECIFIC MODEL FIRST'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET ENQMODEL('CMDNQ1') ENABLED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='THEN THE GENERIC ONE'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET ENQMODEL('CMDNQ2') STATUS(DFHVALUE(DISABLED))
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENQMODEL STATUS'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS SET ENQMODEL('CMDNQ2') ENABLED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='A MORE GENERIC ONE IS ENABLED'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==2==.
           EXEC CICS ENQ RESOURCE('CMDQY') LENGTH(5)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='ENQ: THE GENERIC MODEL'==
               ==:FN:== BY ==X'1204'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           MOVE SPACES TO CODE-1
           EXEC CICS HANDLE ABEND LABEL(REFUSED-2) END-EXEC
           EXEC CICS ENQ RESOURCE('CMDQX') LENGTH(5) END-EXEC
           MOVE 'NONE' TO CODE-1
           GO TO SPECIFIC.
       REFUSED-2.
           EXEC CICS ASSIGN ABCODE(CODE-1) END-EXEC.
       SPECIFIC.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQ: THE MOST SPECIFIC DECIDES'==
               ==:TEST:== BY ==CODE-1 = 'ANQE' ==.
           EXEC CICS HANDLE ABEND CANCEL END-EXEC
           MOVE DFHVALUE(OPEN) TO C-1
           EXEC CICS SET ENQMODEL('CMDNQ1') STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENQMODEL STATUS INVREQ'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==3==.
           EXEC CICS SET ENQMODEL('NOWHERE') ENABLED
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='SET ENQMODEL NOTFND'==
               ==:FN:== BY ==X'9084'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           EXEC CICS DISCARD ENQMODEL('CMDNQ2')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD ENQMODEL'==
               ==:FN:== BY ==X'9090'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0==.
           EXEC CICS DISCARD ENQMODEL('CMDNQ2')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='DISCARD ENQMODEL NOTFND'==
               ==:FN:== BY ==X'9090'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           PERFORM SCOPED
           EXEC CICS INQUIRE ENQMODEL START
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE ENQMODEL(NAME-1) NEXT
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='BROWSE OF ENQMODELS'==
               ==:TEST:== BY ==CK-RESP = 0 AND NAME-1 = 'CMDNQ1' ==.
           EXEC CICS INQUIRE ENQMODEL(NAME-1) NEXT
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='BROWSE AT ITS END'==
               ==:FN:== BY ==X'9082'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS INQUIRE ENQMODEL END
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS DEQ RESOURCE('CMDQY') LENGTH(5)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
      * A model with a scope: enqueues exclude as others do, and the
      * scope is shown.
       SCOPED.
           EXEC CICS INQUIRE ENQMODEL('CMDNQ3') ENQSCOPE(SCOPE)
                STATUS(C-1) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ENQMODEL: ENQSCOPE'==
               ==:TEST:== BY ==SCOPE = 'PLEX' AND
                 C-1 = DFHVALUE(ENABLED)==.
           EXEC CICS ENQ RESOURCE('CMDSCOPED') LENGTH(9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS ENQ RESOURCE('CMDLOCAL') LENGTH(8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWENQ START ENQSCOPE('PLEX')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE UOWENQ NEXT RESOURCE(ENQ-NAME)
                TYPE(C-1) RELATION(C-2)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='UOWENQ: BY ENQSCOPE'==
               ==:TEST:== BY ==CK-RESP = 0 AND
                 ENQ-NAME (1:9) = 'CMDSCOPED' AND
                 C-1 = DFHVALUE(EXECENQ) AND
                 C-2 = DFHVALUE(OWNER)==.
           EXEC CICS INQUIRE UOWENQ NEXT
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='NO OTHER HAS THE SCOPE'==
               ==:FN:== BY ==X'9022'== ==:RESP:== BY ==83==
               ==:RESP2:== BY ==2==.
           EXEC CICS INQUIRE UOWENQ END
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS DISCARD ENQMODEL('CMDNQ3')
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE ENQMODEL('CMDNQ3') STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DISCARDED, IT WAITS FOR THE ENQUEUE'==
               ==:TEST:== BY ==C-1 = DFHVALUE(WAITING)==.
           EXEC CICS DEQ RESOURCE('CMDSCOPED') LENGTH(9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS DEQ RESOURCE('CMDLOCAL') LENGTH(8)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           EXEC CICS INQUIRE ENQMODEL('CMDNQ3') STATUS(C-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='THEN IT IS GONE'==
               ==:FN:== BY ==X'9082'== ==:RESP:== BY ==13==
               ==:RESP2:== BY ==1==.
           CONTINUE.
       COPY CHKPROC.
