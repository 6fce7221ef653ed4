       IDENTIFICATION DIVISION.
       PROGRAM-ID. RECCALL RECURSIVE.
      * Calls itself until there is no stack for its storage, which is
      * found before its first statement.
       DATA DIVISION.
       LOCAL-STORAGE SECTION.
       01  LS-AREA PIC X(30000) VALUE 'A'.
       PROCEDURE DIVISION.
           CALL 'RECCALL'.
           GOBACK.
