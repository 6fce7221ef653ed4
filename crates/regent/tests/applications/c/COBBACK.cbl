       IDENTIFICATION DIVISION.
       PROGRAM-ID. COBBACK.
      * Linked to or given control by C: adds to the number and marks
      * the text of the communication area.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-DONE.
           05  FILLER      PIC X(17) VALUE 'COBBACK GOT XCTL '.
           05  WS-SEEN     PIC X(8).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  LK-SHORT    PIC S9(4) COMP.
           05  LK-FULL     PIC S9(9) COMP.
           05  LK-LONG     PIC S9(18) COMP.
           05  LK-NAME     PIC X(8).
       PROCEDURE DIVISION.
           IF LK-NAME = 'TRANSFER'
              MOVE LK-NAME TO WS-SEEN
              EXEC CICS SEND TEXT FROM(WS-DONE) ERASE FREEKB END-EXEC
              EXEC CICS RETURN END-EXEC
           END-IF
           ADD 1 TO LK-FULL
           MOVE 'BACK' TO LK-NAME(5:4)
           EXEC CICS RETURN END-EXEC.
