       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDAEXT.
      * HANDLE ABEND PROGRAM: what an exit program is given, and where
      * control goes after it, after an abend in it, after CANCEL and
      * after RESET.
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
       01  ABEND-CODE PIC X(4).
       01  FIRST-CODE PIC X(4).
       01  ABEND-PROGRAM PIC X(8).
       01  SEEN PIC X(10).
       01  LEVEL-NUMBER PIC S9(4) COMP.
       01  LEN PIC S9(4) COMP.
       01  ITEM-1 PIC X(20).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS HANDLE ABEND PROGRAM('NOWHERE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NOWHERE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='EXIT NOWHERE PGMIDERR'==
               ==:FN:== BY ==X'0E0E'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==1== ==:CODE:== BY ==X'01'==.
           EXEC CICS HANDLE ABEND PROGRAM('CMDOFF') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDOFF' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='EXIT DISABLED PGMIDERR'==
               ==:FN:== BY ==X'0E0E'== ==:RESP:== BY ==27==
               ==:RESP2:== BY ==2== ==:CODE:== BY ==X'01'==.
           MOVE 'EXIT' TO A-FUNCTION
           MOVE ZERO TO A-RESP A-RESP2 A-LENGTH
           MOVE SPACES TO A-TEXT A-DATA
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDAELV' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK TO A HANDLED ABEND'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXIT: ABCODE AND ABPROGRAM'==
               ==:TEST:== BY ==A-TEXT (1:4) = 'EX01' AND A-TEXT (5:8) =
                 'CMDAELV' ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXIT: PROGRAM AND INVOKERS'==
               ==:TEST:== BY ==A-DATA (1:8) = 'CMDAEX' AND A-DATA (9:8)
                 = 'CMDAELV' AND A-DATA (17:8) = 'CMDAEXT' ==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXIT: LINKLEVEL AND EIBCALEN'==
               ==:TEST:== BY ==A-RESP = 2 AND A-LENGTH = 100==.
           MOVE 'RSET' TO A-FUNCTION
           MOVE ZERO TO A-RESP A-RESP2 A-LENGTH
           MOVE SPACES TO A-TEXT A-DATA
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDAELV' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK: CANCEL THEN RESET'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RESET MAKES THE EXIT ACTIVE'==
               ==:TEST:== BY ==A-TEXT (1:4) = 'EX04' ==.
           MOVE 'EXRS' TO A-FUNCTION
           MOVE ZERO TO A-RESP A-RESP2 A-LENGTH
           MOVE SPACES TO A-TEXT A-DATA
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDAELV' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK: RESET IN THE EXIT'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='RESET IN THE EXIT: ENTERED TWO'==
               ==:TEST:== BY ==A-RESP2 = 2 AND A-TEXT (1:4) = 'EX06' AND
                 A-DATA (25:4) = 'EX05' ==.
           MOVE 'XCTL' TO A-FUNCTION
           MOVE ZERO TO A-RESP A-RESP2 A-LENGTH
           MOVE SPACES TO A-TEXT A-DATA
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDAELV' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK: XCTL IN THE EXIT'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='XCTL IN THE EXIT'==
               ==:TEST:== BY ==A-TEXT = 'TRANSFERRED' AND A-LENGTH =
                 100==.
           MOVE 'OWNH' TO A-FUNCTION
           MOVE ZERO TO A-RESP A-RESP2 A-LENGTH
           MOVE SPACES TO A-TEXT A-DATA
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDAELV' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK: THE EXIT HANDLES ABENDS'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ABEND HANDLED IN THE EXIT'==
               ==:TEST:== BY ==A-TEXT (1:4) = 'EX08' AND A-DATA (25:4) =
                 'EX07' ==.
           MOVE 'ASRA' TO A-FUNCTION
           MOVE ZERO TO A-RESP A-RESP2 A-LENGTH
           MOVE SPACES TO A-TEXT A-DATA
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDAELV' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='LINK: A PROGRAM CHECK'==
               ==:FN:== BY ==X'0E02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXIT: ASRA'==
               ==:TEST:== BY ==A-TEXT (1:4) = 'ASRA' ==.
           MOVE 'MISSED' TO SEEN
           EXEC CICS HANDLE ABEND LABEL(AFTER-AGAIN) END-EXEC
           MOVE 'AGAN' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1) END-EXEC
           MOVE 'CAME ON' TO SEEN.
       AFTER-AGAIN.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) ABPROGRAM(ABEND-PROGRAM)
                END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='ABEND IN THE EXIT GOES UP'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE = 'EX02'
                 AND ABEND-PROGRAM = 'CMDAEX' ==.
           MOVE 'MISSED' TO SEEN
           EXEC CICS HANDLE ABEND LABEL(AFTER-CANCEL) END-EXEC
           MOVE 'CANC' TO A-FUNCTION
           EXEC CICS LINK PROGRAM('CMDAELV') COMMAREA(AREA-1) END-EXEC
           MOVE 'CAME ON' TO SEEN.
       AFTER-CANCEL.
           EXEC CICS ASSIGN ABCODE(ABEND-CODE) ABPROGRAM(ABEND-PROGRAM)
                END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='CANCELLED EXIT IS PASSED OVER'==
               ==:TEST:== BY ==SEEN = 'MISSED' AND ABEND-CODE = 'EX03'
                 AND ABEND-PROGRAM = 'CMDAELV' ==.
           EXEC CICS DELETEQ TS QUEUE('CMDEXIT') NOHANDLE END-EXEC
           EXEC CICS START TRANSID('CMXT') RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='START OF AN ABEND AT LEVEL ONE'==
               ==:FN:== BY ==X'1008'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           PERFORM VARYING CK-WAITS FROM 1 BY 1 UNTIL CK-WAITS > 200
           EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
           MOVE 20 TO LEN
           EXEC CICS READQ TS QUEUE('CMDEXIT') INTO(ITEM-1) LENGTH(LEN)
                ITEM(1) NOHANDLE END-EXEC
           IF EIBRESP = 0 MOVE 999 TO CK-WAITS END-IF
           END-PERFORM
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='EXIT AT THE HIGHEST LEVEL'==
               ==:TEST:== BY ==ITEM-1 = 'EXIT EX10 01 CMDAEX' ==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
