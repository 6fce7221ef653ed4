      *Links to a program that abends.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNLINKS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FILLER              PIC X.
       PROCEDURE DIVISION.
           EXEC CICS LINK PROGRAM('CNABEND') END-EXEC
           GOBACK.
