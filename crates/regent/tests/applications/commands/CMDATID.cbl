       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDATID.
      * Started for a terminal: takes the data of all STARTs that have
      * expired for it, in their order.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  WORD PIC X(4).
       01  LEN PIC S9(4) COMP.
       01  CODE-2 PIC X(2).
       01  FACILITY-1 PIC X(4).
       01  FCI-1 PIC X.
       01  BACK.
           05  BACK-COUNT PIC 9(4).
           05  BACK-FAULTS PIC 9(4).
           05  BACK-FIRST PIC X(79).
       01  REPORT-1.
           05  FILLER PIC X(4) VALUE 'ATI '.
           05  R-CODE PIC X(3).
           05  R-DATA OCCURS 5 TIMES PIC X(5) VALUE SPACES.
           05  FILLER PIC X(7) VALUE 'CHECKS '.
           05  R-CHECKS PIC 9(4).
           05  FILLER PIC X(8) VALUE ' FAULTS '.
           05  R-FAULTS PIC 9(4).
           05  FILLER PIC X VALUE SPACE.
           05  R-FIRST PIC X(30).
       01  INDEX-1 PIC S9(4) COMP VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ASSIGN STARTCODE(CODE-2) FACILITY(FACILITY-1)
                FCI(FCI-1) END-EXEC
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='STARTCODE, FACILITY, FCI'==
               ==:TEST:== BY ==CODE-2 = 'SD' AND FACILITY-1 = EIBTRMID
                 AND FCI-1 = X'01' ==.
           MOVE 0 TO CK-RESP
           PERFORM UNTIL CK-RESP NOT = 0
           MOVE 4 TO LEN
           EXEC CICS RETRIEVE INTO(WORD) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           IF CK-RESP = 0 ADD 1 TO INDEX-1 MOVE WORD TO R-DATA (INDEX-1)
                END-IF
           END-PERFORM
           EXEC CICS RETRIEVE INTO(WORD) LENGTH(LEN) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='RETRIEVE AT THE END'==
               ==:FN:== BY ==X'100A'== ==:RESP:== BY ==29==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           MOVE LENGTH OF BACK TO LEN
           MOVE ZEROS TO BACK-COUNT BACK-FAULTS
           EXEC CICS READQ TS QUEUE('CMDATIQ') INTO(BACK) LENGTH(LEN)
                ITEM(1) NOHANDLE END-EXEC
           ADD BACK-COUNT TO CK-COUNT
           ADD BACK-FAULTS TO CK-FAULTS
           IF BACK-FAULTS NOT = 0 MOVE BACK-FIRST TO CK-TEXT (1) END-IF
           MOVE CODE-2 TO R-CODE
           MOVE CK-COUNT TO R-CHECKS
           MOVE CK-FAULTS TO R-FAULTS
           MOVE CK-TEXT (1) TO R-FIRST
           EXEC CICS SEND TEXT FROM(REPORT-1) LENGTH(85) ERASE FREEKB
                END-EXEC
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
