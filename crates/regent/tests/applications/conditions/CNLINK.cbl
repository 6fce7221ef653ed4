      *A program linked to abends: its caller handles that.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNLINK.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER             PROCEDURE-POINTER.
       01  USER-TOKEN          PIC S9(9) COMP VALUE 7.
       01  FC                  PIC X(12).
       01  SEEN EXTERNAL       PIC X(40).
       PROCEDURE DIVISION.
           MOVE SPACES TO SEEN
           SET HANDLER TO ENTRY 'CNHDLR'
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           CALL 'CNLINKS'
           MOVE 'RESUMED' TO SEEN(21:)
           EXEC CICS SEND TEXT FROM(SEEN) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
