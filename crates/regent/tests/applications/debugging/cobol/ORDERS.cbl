       IDENTIFICATION DIVISION.
       PROGRAM-ID. ORDERS.
      * An order of three lines: filled, priced by a called program,
      * audited by a linked one, and shown.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-ORDER.
           05 WS-NUMBER        PIC 9(5) VALUE 4711.
           05 WS-CUSTOMER      PIC X(10) VALUE 'ADAMS'.
           05 WS-STATUS        PIC X VALUE 'N'.
              88 IS-NEW        VALUE 'N'.
              88 IS-DONE       VALUE 'C' THRU 'D'.
           05 WS-TOTAL         PIC S9(5)V99 COMP-3 VALUE 0.
           05 WS-LINE OCCURS 3 INDEXED BY WS-X.
              10 WS-ITEM       PIC X(4).
              10 WS-PRICE      PIC S9(3)V99.
              10 WS-SIZE       OCCURS 2 PIC 9(3) COMP-3.
       01  WS-MANY.
           05 WS-COUNT         PIC S9(4) COMP VALUE 250.
           05 WS-ONE           PIC 9(3) OCCURS 1 TO 300
                               DEPENDING ON WS-COUNT.
       01  WS-I                PIC S9(4) COMP VALUE 0.
       01  WS-RESP             PIC S9(8) COMP VALUE 0.
       01  WS-KINDS.
           05 WS-EDITED        PIC ZZ,ZZ9.99-.
           05 WS-NATIONAL      PIC N(4) USAGE NATIONAL VALUE N'ABC'.
           05 WS-RATE          COMP-2 VALUE 1.5.
           05 WS-POINTER       POINTER VALUE NULL.
           05 WS-TEXT          PIC X(3) VALUE SPACES.
           05 WS-DIGITS REDEFINES WS-TEXT PIC 9(3).
           05 WS-RIGHT         PIC X(6) JUSTIFIED RIGHT.
           05 FILLER           PIC X VALUE '/'.
       01  WS-REPLY.
           05 FILLER           PIC X(6) VALUE 'TOTAL '.
           05 WS-SHOWN         PIC ZZ,ZZ9.99-.
           05 FILLER           PIC X VALUE SPACE.
           05 WS-NAME          PIC X(10).
       LOCAL-STORAGE SECTION.
       01  LS-LEFT             PIC 9(2) VALUE 7.
       PROCEDURE DIVISION.
       MAIN-PARA.
           MOVE 0 TO WS-TOTAL
           PERFORM FILL-LINE VARYING WS-I FROM 1 BY 1 UNTIL WS-I > 3
           CALL 'PRICING' USING WS-ORDER
           EXEC CICS LINK PROGRAM('AUDIT') COMMAREA(WS-ORDER) END-EXEC
           EXEC CICS READQ TS QUEUE('NOSUCHQ') INTO(WS-NAME)
                RESP(WS-RESP) END-EXEC
           IF WS-RESP = 0 MOVE 'X' TO WS-STATUS END-IF
           MOVE WS-TOTAL TO WS-SHOWN
           MOVE WS-CUSTOMER TO WS-NAME
           EXEC CICS SEND TEXT FROM(WS-REPLY) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.
       FILL-LINE.
           COPY FILLCODE.
           ADD WS-PRICE(WS-I) TO WS-TOTAL.
