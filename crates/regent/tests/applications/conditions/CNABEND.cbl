      *Abends with a code of its own.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNABEND.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FILLER              PIC X.
       PROCEDURE DIVISION.
           EXEC CICS ABEND ABCODE('MINE') END-EXEC.
