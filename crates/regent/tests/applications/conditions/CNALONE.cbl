      *Nobody handles what fails here.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNALONE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FILLER              PIC X.
       PROCEDURE DIVISION.
           CALL 'CNFAIL'
           EXEC CICS RETURN END-EXEC.
