       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDCOND.
      * HANDLE CONDITION, IGNORE CONDITION, PUSH and POP HANDLE, HANDLE
      * ABEND, ABEND, and NOHANDLE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  AREA-1.
           05  A-FUNCTION PIC X(4).
           05  A-LENGTH PIC S9(8) COMP.
           05  A-RESP PIC S9(8) COMP.
           05  A-RESP2 PIC S9(8) COMP.
           05  A-TEXT PIC X(20).
           05  A-DATA PIC X(64).
       01  LEN PIC S9(4) COMP.
       01  DLEN PIC S9(4) COMP.
       01  FLEN PIC S9(8) COMP.
       01  PTR POINTER.
       01  PTR-2 POINTER.
       01  CVDA PIC S9(8) COMP.
       01  NAME255 PIC X(255) VALUE 'COMMANDS.RESOURCE'.
       01  IMAGE PIC X VALUE '*'.
       01  ABEND-CODE PIC X(4).
       01  SEEN PIC X(10).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS POP HANDLE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKRESP REPLACING
               ==:NAME:== BY =='POP HANDLE INVREQ'==
               ==:FN:== BY ==X'020E'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==-1==.
           EXEC CICS HANDLE CONDITION QIDERR(STEP-1) ERROR(STEP-9)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE CONDITION'==
               ==:FN:== BY ==X'0204'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 'MISSED' TO SEEN
           EXEC CICS READQ TS QUEUE('CMDNONE') INTO(A-TEXT) END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-1.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='HANDLED QIDERR'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND EIBRESP = 44==.
           EXEC CICS HANDLE CONDITION QIDERR(STEP-2) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE REPLACED'==
               ==:FN:== BY ==X'0204'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE('CMDNONE') END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-2.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='HANDLED BY THE LATER'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND EIBFN = X'0A06'==.
           EXEC CICS HANDLE CONDITION ERROR(STEP-3) END-EXEC
           EXEC CICS ENDBR FILE('FIXED') END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-3.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='HANDLED BY ERROR'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND EIBRESP = 16 AND
                 EIBRESP2 = 35==.
           EXEC CICS DELETEQ TS QUEUE('CMDNONE') NOHANDLE END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='NOHANDLE COMES BACK'==
               ==:TEST:== BY ==EIBRESP = 44==.
           EXEC CICS IGNORE CONDITION QIDERR RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='IGNORE CONDITION'==
               ==:FN:== BY ==X'020A'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE('CMDNONE') END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='IGNORED COMES BACK'==
               ==:TEST:== BY ==EIBRESP = 44==.
           EXEC CICS PUSH HANDLE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='PUSH HANDLE'== ==:FN:== BY ==X'020C'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS HANDLE CONDITION QIDERR(STEP-4) END-EXEC
           EXEC CICS DELETEQ TS QUEUE('CMDNONE') END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-4.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='HANDLED AFTER PUSH'==
               ==:TEST:== BY ==SEEN = 'MISSED'==.
           EXEC CICS POP HANDLE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='POP HANDLE'== ==:FN:== BY ==X'020E'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE('CMDNONE') END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='IGNORED AGAIN AFTER POP'==
               ==:TEST:== BY ==EIBRESP = 44==.
           MOVE 'HAND' TO A-FUNCTION
           EXEC CICS HANDLE CONDITION QIDERR(STEP-9) END-EXEC
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK'== ==:FN:== BY ==X'0E02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='HANDLED BELOW'==
               ==:TEST:== BY ==A-TEXT = 'HANDLED BELOW' AND A-RESP =
                 44==.
           EXEC CICS HANDLE ABEND LABEL(STEP-5) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE ABEND'== ==:FN:== BY ==X'0E0E'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS ABEND ABCODE('MINE') NODUMP END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-5.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ABEND HANDLED'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE =
                 'MINE'==.
           MOVE 'ABND' TO A-FUNCTION
           EXEC CICS HANDLE ABEND RESET RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE ABEND RESET'==
               ==:FN:== BY ==X'0E0E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS HANDLE ABEND LABEL(STEP-6) END-EXEC
           EXEC CICS LINK PROGRAM('CMDSUB') COMMAREA(AREA-1) END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-6.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ABEND BELOW HANDLED'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE =
                 'SUBA'==.
           EXEC CICS HANDLE ABEND LABEL(STEP-7) END-EXEC
           EXEC CICS HANDLE CONDITION PGMIDERR ERROR END-EXEC
           EXEC CICS LINK PROGRAM('NOWHERE') END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-7.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DEFAULT ACTION IS AEI0'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE =
                 'AEI0'==.
           EXEC CICS HANDLE ABEND LABEL(STEP-8) END-EXEC
           EXEC CICS HANDLE CONDITION QIDERR END-EXEC
           EXEC CICS DELETEQ TS QUEUE('CMDNONE') END-EXEC
           MOVE 'CAME ON' TO SEEN.
       STEP-8.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='DEFAULT ACTION IS AEYH'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE =
                 'AEYH'==.
           EXEC CICS HANDLE ABEND CANCEL RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='HANDLE ABEND CANCEL'==
               ==:FN:== BY ==X'0E0E'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           GO TO STEP-10.
       STEP-9.
           MOVE 'STEP-9 WAS TAKEN' TO CK-NAME
           PERFORM CHECK-FAULT.
       STEP-10.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
