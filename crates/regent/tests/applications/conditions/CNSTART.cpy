      *Registers a handler; SEEN is what it and those it calls saw.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER             PROCEDURE-POINTER.
       01  USER-TOKEN          PIC S9(9) COMP VALUE 7.
       01  FC                  PIC X(12).
       01  SEEN EXTERNAL       PIC X(40).
       PROCEDURE DIVISION.
           MOVE SPACES TO SEEN
           SET HANDLER TO ENTRY :HANDLER:
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
