       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDTSTD.
      * Temporary storage and transient data; as transaction CMSQ the
      * same with a queue of a shared pool.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CHKWORK.
       01  TS-Q PIC X(8) VALUE 'CMDQ'.
       01  ITEM-AREA PIC X(40).
       01  LEN PIC S9(4) COMP.
       01  ITM PIC S9(4) COMP.
       01  NUM PIC S9(4) COMP.
       01  PTR POINTER.
       01  NAME-LOW PIC X(8) VALUE LOW-VALUES.
       01  NAME16 PIC X(16) VALUE 'COMMANDS.CHECK.2'.
       LINKAGE SECTION.
       01  LK-ITEM PIC X(40).
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBTRNID = 'CMSQ' MOVE 'SHRQ' TO TS-Q END-IF
           EXEC CICS DELETEQ TS QUEUE(TS-Q) RESP(CK-RESP) END-EXEC
           MOVE 30 TO LEN
           EXEC CICS READQ TS QUEUE(TS-Q) INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS QIDERR'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           EXEC CICS DELETEQ TS QUEUE(TS-Q) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TS QIDERR'==
               ==:FN:== BY ==X'0A06'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           MOVE 1 TO ITM
           EXEC CICS WRITEQ TS QUEUE(TS-Q) FROM(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) REWRITE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS REWRITE QIDERR'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           MOVE 'FIRST' TO ITEM-AREA
           MOVE 99 TO ITM
           EXEC CICS WRITEQ TS QUEUE(TS-Q) FROM(ITEM-AREA) LENGTH(LEN)
                NUMITEMS(ITM) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS'== ==:FN:== BY ==X'0A02'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='WRITEQ TS NUMITEMS'==
               ==:TEST:== BY ==ITM = 1==.
           MOVE 'SECOND' TO ITEM-AREA
           EXEC CICS WRITEQ TS QUEUE(TS-Q) FROM(ITEM-AREA) LENGTH(20)
                ITEM(ITM) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS ITEM'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='WRITEQ TS ITEM IS 2'==
               ==:TEST:== BY ==ITM = 2==.
           MOVE 9 TO ITM
           EXEC CICS WRITEQ TS QUEUE(TS-Q) FROM(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) REWRITE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS REWRITE ITEMERR'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==26==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           MOVE 'AGAIN' TO ITEM-AREA
           MOVE 1 TO ITM
           EXEC CICS WRITEQ TS QUEUE(TS-Q) FROM(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) REWRITE RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS REWRITE'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           MOVE 0 TO LEN
           EXEC CICS WRITEQ TS QUEUE(TS-Q) FROM(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS 0 LENGERR'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'E1'==.
           EXEC CICS WRITEQ TS QUEUE(NAME-LOW) FROM(ITEM-AREA)
                LENGTH(20) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS LOW-VALUES INVREQ'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==16==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'20'==.
           MOVE 40 TO LEN
           MOVE SPACES TO ITEM-AREA
           MOVE 2 TO ITM
           EXEC CICS READQ TS QUEUE(TS-Q) INTO(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) NUMITEMS(NUM) RESP(CK-RESP) RESP2(CK-RESP2)
                END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS ITEM 2'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READQ TS DATA'==
               ==:TEST:== BY ==ITEM-AREA (1:20) = 'SECOND' AND LEN = 20
                 AND NUM = 2==.
           MOVE 40 TO LEN
           EXEC CICS READQ TS QUEUE(TS-Q) INTO(ITEM-AREA) LENGTH(LEN)
                NEXT RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS NEXT AT END ITEMERR'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==26==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           MOVE 3 TO ITM
           EXEC CICS READQ TS QUEUE(TS-Q) INTO(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS ITEM 3 ITEMERR'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==26==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           MOVE 0 TO ITM
           EXEC CICS READQ TS QUEUE(TS-Q) INTO(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS ITEM 0 ITEMERR'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==26==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           MOVE 3 TO LEN
           MOVE SPACES TO ITEM-AREA
           MOVE 1 TO ITM
           EXEC CICS READQ TS QUEUE(TS-Q) INTO(ITEM-AREA) LENGTH(LEN)
                ITEM(ITM) RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS 3 LENGERR'==
               ==:FN:== BY ==X'0A04'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'E1'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READQ TS TRUNCATED'==
               ==:TEST:== BY ==ITEM-AREA = 'AGA' AND LEN = 30==.
           EXEC CICS READQ TS QUEUE(TS-Q) SET(PTR) LENGTH(LEN) ITEM(1)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TS SET'== ==:FN:== BY ==X'0A04'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           SET ADDRESS OF LK-ITEM TO PTR
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READQ TS SET DATA'==
               ==:TEST:== BY ==LK-ITEM (1:5) = 'AGAIN' AND LEN = 30==.
           EXEC CICS WRITEQ TS QNAME(NAME16) FROM(ITEM-AREA) LENGTH(10)
                MAIN RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TS QNAME'==
               ==:FN:== BY ==X'0A02'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QNAME(NAME16) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TS QNAME'==
               ==:FN:== BY ==X'0A06'== ==:RESP:== BY ==0==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE(TS-Q) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TS'== ==:FN:== BY ==X'0A06'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TS QUEUE(TS-Q) RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE TS-Q TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TS AGAIN QIDERR'==
               ==:FN:== BY ==X'0A06'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           MOVE 30 TO LEN
           EXEC CICS READQ TD QUEUE('CMDT') INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD QZERO'==
               ==:FN:== BY ==X'0804'== ==:RESP:== BY ==23==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           EXEC CICS READQ TD QUEUE('NONE') INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NONE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD QIDERR'==
               ==:FN:== BY ==X'0804'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           EXEC CICS WRITEQ TD QUEUE('NONE') FROM(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'NONE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD QIDERR'==
               ==:FN:== BY ==X'0802'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           EXEC CICS DELETEQ TD QUEUE('NONE') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'NONE' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TD QIDERR'==
               ==:FN:== BY ==X'0806'== ==:RESP:== BY ==44==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'02'==.
           MOVE 'TDONE' TO ITEM-AREA
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 1'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE 'TDTWO' TO ITEM-AREA
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 2'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           MOVE SPACES TO ITEM-AREA
           MOVE 40 TO LEN
           EXEC CICS READQ TD QUEUE('CMDT') INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD 1'== ==:FN:== BY ==X'0804'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READQ TD DATA'==
               ==:TEST:== BY ==ITEM-AREA (1:5) = 'TDONE' AND LEN = 30==.
           MOVE SPACES TO ITEM-AREA
           MOVE 3 TO LEN
           EXEC CICS READQ TD QUEUE('CMDT') INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD 3 LENGERR'==
               ==:FN:== BY ==X'0804'== ==:RESP:== BY ==22==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'E1'==.
           COPY CHKTRUE REPLACING ==:NAME:== BY
               =='READQ TD TRUNCATED'==
               ==:TEST:== BY ==ITEM-AREA = 'TDT' AND LEN = 30==.
           EXEC CICS READQ TD QUEUE('CMDT') INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD EMPTIED QZERO'==
               ==:FN:== BY ==X'0804'== ==:RESP:== BY ==23==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           EXEC CICS WRITEQ TD QUEUE('CMDT') FROM(ITEM-AREA) LENGTH(10)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='WRITEQ TD 3'== ==:FN:== BY ==X'0802'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS DELETEQ TD QUEUE('CMDT') RESP(CK-RESP)
                RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='DELETEQ TD'== ==:FN:== BY ==X'0806'==
               ==:RESP:== BY ==0== ==:RESP2:== BY ==0==
               ==:CODE:== BY ==X'00'==.
           EXEC CICS READQ TD QUEUE('CMDT') INTO(ITEM-AREA) LENGTH(LEN)
                RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC
           MOVE 'CMDT' TO WANT-RESOURCE
           COPY CHKCODE REPLACING
               ==:NAME:== BY =='READQ TD DELETED QZERO'==
               ==:FN:== BY ==X'0804'== ==:RESP:== BY ==23==
               ==:RESP2:== BY ==0== ==:CODE:== BY ==X'01'==.
           PERFORM CHECK-ANSWER
           EXEC CICS RETURN END-EXEC.
       COPY CHKPROC.
