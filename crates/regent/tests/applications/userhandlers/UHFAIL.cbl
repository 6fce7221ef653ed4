      *Adds to a packed field that holds spaces.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. UHFAIL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SPACES-ITEM         PIC X(5) VALUE SPACES.
       01  PACKED REDEFINES SPACES-ITEM PIC S9(9) COMP-3.
       PROCEDURE DIVISION.
           ADD 1 TO PACKED
           GOBACK.
