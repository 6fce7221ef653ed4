      *The handlers of the region pass the condition on.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. UHALONE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SEEN EXTERNAL       PIC X(40).
       PROCEDURE DIVISION.
           MOVE 'PERCOLATE' TO SEEN
           CALL 'UHFAIL'
           EXEC CICS RETURN END-EXEC.
