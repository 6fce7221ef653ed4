       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSUB.
      * Linked to by the checks; acts by the function it is given.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-LEVEL PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-FUNCTION PIC X(4).
           05  CA-LENGTH PIC S9(8) COMP.
           05  CA-RESP PIC S9(8) COMP.
           05  CA-RESP2 PIC S9(8) COMP.
           05  CA-TEXT PIC X(20).
           05  CA-DATA PIC X(64).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EVALUATE CA-FUNCTION
             WHEN 'LINK'
               MOVE EIBCALEN TO CA-LENGTH
               EXEC CICS ASSIGN PROGRAM(CA-TEXT (1:8))
                    INVOKINGPROG(CA-TEXT (9:8)) LINKLEVEL(WS-LEVEL)
                    END-EXEC
               MOVE WS-LEVEL TO CA-RESP
             WHEN 'RETN'
               EXEC CICS RETURN TRANSID('CMPC') IMMEDIATE
                    RESP(CA-RESP) RESP2(CA-RESP2) END-EXEC
             WHEN 'RETC'
               EXEC CICS RETURN COMMAREA(CA-TEXT) LENGTH(10)
                    RESP(CA-RESP) RESP2(CA-RESP2) END-EXEC
             WHEN 'XCTL'
               EXEC CICS XCTL PROGRAM('CMDSUBX')
                    COMMAREA(DFHCOMMAREA) END-EXEC
             WHEN 'HAND'
               EXEC CICS READQ TS QUEUE('CMDNONE') INTO(CA-TEXT)
                    RESP(CA-RESP) END-EXEC
               EXEC CICS HANDLE CONDITION QIDERR(NO-QUEUE) END-EXEC
               EXEC CICS READQ TS QUEUE('CMDNONE') INTO(CA-TEXT)
                    END-EXEC
               MOVE 'NOT HANDLED' TO CA-TEXT
             WHEN 'ABND'
               EXEC CICS ABEND ABCODE('SUBA') NODUMP END-EXEC
             WHEN 'CHAN'
               CONTINUE
           END-EVALUATE
           EXEC CICS RETURN END-EXEC.
       NO-QUEUE.
           MOVE 'HANDLED BELOW' TO CA-TEXT
           EXEC CICS RETURN END-EXEC.
