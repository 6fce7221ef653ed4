       IDENTIFICATION DIVISION.
       PROGRAM-ID. RECLOCAL RECURSIVE.
      * Calls itself without end; each activation has storage.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-DEPTH PIC S9(9) COMP VALUE 0.
       LOCAL-STORAGE SECTION.
       01  LS-AREA PIC X(100) VALUE 'LOCAL'.
       PROCEDURE DIVISION.
           ADD 1 TO W-DEPTH
           CALL 'RECLOCAL'
           MOVE SPACES TO LS-AREA
           GOBACK.
