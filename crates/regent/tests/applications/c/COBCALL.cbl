       IDENTIFICATION DIVISION.
       PROGRAM-ID. COBCALL.
      * Links to C with a communication area, then with a channel; the
      * C program changes numbers and text and links back to COBOL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-AREA.
           05  WS-SHORT    PIC S9(4) COMP VALUE 258.
           05  WS-FULL     PIC S9(9) COMP VALUE -70000.
           05  WS-LONG     PIC S9(18) COMP VALUE 1099511627776.
           05  WS-NAME     PIC X(8) VALUE 'COBOL'.
       01  WS-RESP2        PIC S9(8) COMP.
       01  WS-CHANNELLED   PIC X(12).
       01  WS-OUT.
           05  OUT-SHORT   PIC ----9.
           05  FILLER      PIC X VALUE SPACE.
           05  OUT-FULL    PIC -------9.
           05  FILLER      PIC X VALUE SPACE.
           05  OUT-LONG    PIC Z(17)9.
           05  FILLER      PIC X VALUE SPACE.
           05  OUT-NAME    PIC X(8).
           05  FILLER      PIC X VALUE SPACE.
           05  OUT-RESP2   PIC 9(4).
           05  FILLER      PIC X VALUE SPACE.
           05  OUT-CHAN    PIC X(12).
       PROCEDURE DIVISION.
           EXEC CICS LINK PROGRAM('CSECOND') COMMAREA(WS-AREA)
                RESP2(WS-RESP2) NOHANDLE
           END-EXEC
           MOVE WS-SHORT TO OUT-SHORT
           MOVE WS-FULL TO OUT-FULL
           MOVE WS-LONG TO OUT-LONG
           MOVE WS-NAME TO OUT-NAME
           MOVE WS-RESP2 TO OUT-RESP2
           EXEC CICS PUT CONTAINER('IN') CHANNEL('CHAN')
                FROM(WS-NAME) END-EXEC
           EXEC CICS LINK PROGRAM('CSECOND') CHANNEL('CHAN') END-EXEC
           EXEC CICS GET CONTAINER('OUT') CHANNEL('CHAN')
                INTO(WS-CHANNELLED) END-EXEC
           MOVE WS-CHANNELLED TO OUT-CHAN
           EXEC CICS SEND TEXT FROM(WS-OUT) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
