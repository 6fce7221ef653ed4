       IDENTIFICATION DIVISION.
       PROGRAM-ID. WILDCMD.
      * One statement with an operand at the address that the caller names.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N-ADDRESS PIC 9(9) COMP-5.
       01  P REDEFINES N-ADDRESS USAGE POINTER.
       01  WS-RESP PIC S9(8) COMP.
       01  WS-LENGTH PIC S9(4) COMP VALUE 10.
       01  WS-FULL PIC S9(8) COMP VALUE 10.
       01  WS-HUGE PIC S9(9) COMP-5 VALUE 2000000000.
       01  WS-FAR PIC S9(9) COMP-5 VALUE 99999999.
       01  WS-TIME PIC S9(15) COMP-3 VALUE 0.
       01  WS-TOKEN PIC X(16).
       01  WS-POINTER USAGE POINTER.
       01  WS-AREA PIC X(5000) VALUE 'ABC'.
       01  WS-TABLE.
           05  T-ENTRY PIC X(20) OCCURS 10.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  C-CASE PIC 9(3).
           05  C-ADDRESS PIC 9(10).
           05  C-EXPECTED PIC X(4).
           05  C-CASES PIC 9(3).
       01  L-AREA PIC X(32763).
       01  L-NAME PIC X(8).
       01  L-HALF PIC S9(4) COMP.
       01  L-FULL PIC S9(8) COMP.
       01  L-TIME PIC S9(15) COMP-3.
       01  L-POINTER USAGE POINTER.
       PROCEDURE DIVISION.
           MOVE 56 TO C-CASES
           MOVE C-ADDRESS TO N-ADDRESS
           SET ADDRESS OF L-AREA TO P
           SET ADDRESS OF L-NAME TO P
           SET ADDRESS OF L-HALF TO P
           SET ADDRESS OF L-FULL TO P
           SET ADDRESS OF L-TIME TO P
           SET ADDRESS OF L-POINTER TO P
           EXEC CICS DELETEQ TS QUEUE('GOOD') RESP(WS-RESP) END-EXEC
           EXEC CICS WRITEQ TS QUEUE('GOOD') FROM(WS-AREA)
               LENGTH(10) END-EXEC
           EXEC CICS PUT CONTAINER('D') CHANNEL('CH') FROM(WS-AREA)
               FLENGTH(10) END-EXEC
           MOVE 'ASRA' TO C-EXPECTED
           EVALUATE C-CASE
           WHEN 1
               EXEC CICS WRITEQ TS QUEUE('WILD') FROM(L-AREA)
                   LENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 2
               EXEC CICS READQ TS QUEUE('GOOD') INTO(L-AREA)
                   LENGTH(WS-LENGTH) ITEM(1) RESP(WS-RESP) END-EXEC
           WHEN 3
               EXEC CICS READQ TS QUEUE('GOOD') INTO(WS-AREA)
                   LENGTH(L-HALF) ITEM(1) RESP(WS-RESP) END-EXEC
           WHEN 4
               EXEC CICS READQ TS QUEUE('GOOD') SET(L-POINTER)
                   LENGTH(WS-LENGTH) ITEM(1) RESP(WS-RESP) END-EXEC
           WHEN 5
               EXEC CICS WRITEQ TS QUEUE(L-NAME) FROM(WS-AREA)
                   LENGTH(10) RESP(WS-RESP) END-EXEC
           WHEN 6
               EXEC CICS WRITEQ TS QUEUE('WILD') FROM(WS-AREA)
                   LENGTH(10) RESP(L-FULL) END-EXEC
           WHEN 7
               IF C-ADDRESS = 0 MOVE 'NONE' TO C-EXPECTED END-IF
               EXEC CICS LINK PROGRAM('WILDSUB') COMMAREA(L-AREA)
                   LENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 8
               IF C-ADDRESS = 0 MOVE 'NONE' TO C-EXPECTED END-IF
               EXEC CICS LINK PROGRAM('WILDSUB') COMMAREA(L-AREA)
                   LENGTH(32763) RESP(WS-RESP) END-EXEC
           WHEN 9
               EXEC CICS LINK PROGRAM(L-NAME) RESP(WS-RESP)
                   END-EXEC
           WHEN 10
               IF C-ADDRESS = 0 MOVE 'NONE' TO C-EXPECTED END-IF
               EXEC CICS XCTL PROGRAM('WILDSUB') COMMAREA(L-AREA)
                   LENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 11
               EXEC CICS SEND TEXT FROM(L-AREA) LENGTH(100)
                   RESP(WS-RESP) END-EXEC
           WHEN 12
               EXEC CICS SEND FROM(L-AREA) LENGTH(100)
                   RESP(WS-RESP) END-EXEC
           WHEN 13
               EXEC CICS ASSIGN APPLID(L-NAME) END-EXEC
           WHEN 14
               EXEC CICS ASSIGN CWALENG(L-HALF) END-EXEC
           WHEN 15
               EXEC CICS ASKTIME ABSTIME(L-TIME) END-EXEC
           WHEN 16
               EXEC CICS FORMATTIME ABSTIME(WS-TIME) YYYYMMDD(L-NAME)
                   END-EXEC
           WHEN 17
               EXEC CICS PUT CONTAINER('C') CHANNEL('CH') FROM(L-AREA)
                   FLENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 18
               MOVE 'NONE' TO C-EXPECTED
               EXEC CICS PUT CONTAINER('C') CHANNEL('CH') FROM(L-AREA)
                   FLENGTH(2147483647) RESP(WS-RESP) END-EXEC
           WHEN 19
               EXEC CICS GET CONTAINER('D') CHANNEL('CH') INTO(L-AREA)
                   FLENGTH(WS-FULL) RESP(WS-RESP) END-EXEC
           WHEN 20
               EXEC CICS GETMAIN SET(WS-POINTER) FLENGTH(100)
                   INITIMG(L-NAME(1:1)) RESP(WS-RESP) END-EXEC
           WHEN 21
               MOVE 'NONE' TO C-EXPECTED
               EXEC CICS FREEMAIN DATAPOINTER(P) RESP(WS-RESP)
                   END-EXEC
           WHEN 22
               MOVE 'NONE' TO C-EXPECTED
               EXEC CICS FREEMAIN DATA(L-AREA) RESP(WS-RESP)
                   END-EXEC
           WHEN 23
               EXEC CICS ENQ RESOURCE(L-AREA) LENGTH(100)
                   RESP(WS-RESP) END-EXEC
           WHEN 24
               MOVE 'NONE' TO C-EXPECTED
               EXEC CICS ENQ RESOURCE(L-AREA) RESP(WS-RESP) END-EXEC
           WHEN 25
               EXEC CICS START TRANSID('WC01') FROM(L-AREA)
                   LENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 26
               EXEC CICS START TRANSID(L-NAME(1:4)) RESP(WS-RESP)
                   END-EXEC
           WHEN 27
               EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(L-AREA)
                   LENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 28
               EXEC CICS HANDLE ABEND PROGRAM(L-NAME) END-EXEC
           WHEN 29
               EXEC CICS WRITE OPERATOR TEXT(L-AREA) TEXTLENGTH(100)
                   RESP(WS-RESP) END-EXEC
           WHEN 30
               EXEC CICS BIF DEEDIT FIELD(L-AREA) LENGTH(100)
                   END-EXEC
           WHEN 31
               EXEC CICS ENTER TRACENUM(1) FROM(L-AREA)
                   FROMLENGTH(100) EXCEPTION RESP(WS-RESP) END-EXEC
           WHEN 32
               IF C-ADDRESS = 0 MOVE 'NONE' TO C-EXPECTED END-IF
               EXEC CICS WAIT EVENT ECADDR(P) RESP(WS-RESP) END-EXEC
           WHEN 33
               IF C-ADDRESS = 0 MOVE 'NONE' TO C-EXPECTED END-IF
               EXEC CICS WAIT EXTERNAL ECBLIST(P) NUMEVENTS(1)
                   RESP(WS-RESP) END-EXEC
           WHEN 34
               IF C-ADDRESS = 0 MOVE 'NONE' TO C-EXPECTED END-IF
               EXEC CICS WAITCICS ECBLIST(P) NUMEVENTS(64)
                   RESP(WS-RESP) END-EXEC
           WHEN 35
               EXEC CICS DELETEQ TS QUEUE(L-NAME) RESP(WS-RESP)
                   END-EXEC
           WHEN 36
               EXEC CICS INQUIRE TRANSACTION(L-NAME(1:4))
                   PROGRAM(WS-AREA(1:8)) RESP(WS-RESP) END-EXEC
           WHEN 37
               EXEC CICS INQUIRE TRANSACTION('WC01')
                   PROGRAM(L-NAME) RESP(WS-RESP) END-EXEC
           WHEN 38
               EXEC CICS RETRIEVE INTO(L-AREA) LENGTH(L-HALF)
                   RESP(WS-RESP) END-EXEC
           WHEN 39
               EXEC CICS LOAD PROGRAM('WILDSUB') SET(L-POINTER)
                   RESP(WS-RESP) END-EXEC
           WHEN 40
               EXEC CICS ADDRESS CWA(L-POINTER) END-EXEC
           WHEN 41
               EXEC CICS ABEND ABCODE(L-NAME(1:4)) END-EXEC
           WHEN 42
               MOVE 'NONE' TO C-EXPECTED
               EXEC CICS DUMP TRANSACTION DUMPCODE('WILD')
                   FROM(L-AREA) LENGTH(100) RESP(WS-RESP) END-EXEC
           WHEN 43
               DISPLAY L-AREA(1:100)
           WHEN 44
               MOVE FUNCTION UPPER-CASE(L-AREA(1:100)) TO WS-AREA
           WHEN 45
               IF C-ADDRESS = 0 MOVE '4038' TO C-EXPECTED END-IF
               CALL 'CEELOCT' USING L-FULL L-TIME L-AREA WS-TOKEN
           WHEN 46
               CALL L-NAME
           WHEN 47
               CALL 'WILDREF' USING L-AREA
           WHEN 48
               CALL 'WILDREF'
           WHEN 49
               MOVE WS-AREA TO L-AREA
           WHEN 50
               INSPECT L-AREA REPLACING ALL 'A' BY 'B'
           WHEN 51
               MOVE WS-AREA TO T-ENTRY(WS-FAR)
           WHEN 52
               MOVE T-ENTRY(WS-FAR) TO WS-AREA
           WHEN 53
               MOVE ALL 'X' TO WS-AREA(WS-HUGE:100)
           WHEN 54
               MOVE SPACES TO WS-AREA(1:WS-HUGE)
           WHEN 55
               EXEC CICS ADDRESS TCTUA(ADDRESS OF L-AREA) END-EXEC
               MOVE 'X' TO L-AREA(1:1)
           WHEN 56
               EXEC CICS ADDRESS TWA(ADDRESS OF L-AREA) END-EXEC
               MOVE L-AREA TO WS-AREA
           END-EVALUATE
           EXEC CICS RETURN END-EXEC.
