      *The handler of the region resumes behind the CALL.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. UHCALL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SEEN EXTERNAL       PIC X(40).
       01  QUERIES             PIC S9(9) COMP VALUE 2.
       01  COUNTRY             PIC X(2).
       01  FC                  PIC X(12).
       PROCEDURE DIVISION.
           MOVE 'RESUME' TO SEEN
           CALL 'UHFAIL'
           CALL 'CEE3CTY' USING QUERIES COUNTRY FC
           MOVE COUNTRY TO SEEN(21:)
           EXEC CICS SEND TEXT FROM(SEEN) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
