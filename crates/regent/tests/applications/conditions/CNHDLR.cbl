      *The handler. A program that it calls tries a command it may not use.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNHDLR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SEEN EXTERNAL       PIC X(40).
       01  SEEN-MESSAGE        PIC 9(4).
       01  ZERO-MOVE           PIC S9(9) COMP VALUE 0.
       01  FC                  PIC X(12).
       LINKAGE SECTION.
       01  TOKEN.
           05  FILLER          PIC X(2).
           05  T-MESSAGE       PIC S9(4) COMP.
           05  FILLER          PIC X(8).
       01  USER-TOKEN          PIC S9(9) COMP.
       01  RESULT-CODE         PIC S9(9) COMP.
       01  NEW-TOKEN           PIC X(12).
       PROCEDURE DIVISION USING TOKEN USER-TOKEN RESULT-CODE NEW-TOKEN.
           MOVE T-MESSAGE TO SEEN-MESSAGE
           MOVE SEEN-MESSAGE TO SEEN(1:4)
           CALL 'CNCMDS'
           CALL 'CEEMRCR' USING ZERO-MOVE FC
           MOVE 10 TO RESULT-CODE
           GOBACK.
