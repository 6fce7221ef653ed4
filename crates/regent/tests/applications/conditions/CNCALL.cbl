      *A called program fails; the handler resumes behind the CALL.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNCALL.
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
           CALL 'CNFAIL'
           MOVE 'RESUMED' TO SEEN(21:)
           EXEC CICS SEND TEXT FROM(SEEN) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
