       IDENTIFICATION DIVISION.
       PROGRAM-ID. RECPLAIN RECURSIVE.
      * Calls itself without end by a name that is data.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-NAME PIC X(8) VALUE 'RECPLAIN'.
       01  W-DEPTH PIC S9(9) COMP VALUE 0.
       PROCEDURE DIVISION.
           ADD 1 TO W-DEPTH
           CALL W-NAME USING W-DEPTH
           GOBACK.
