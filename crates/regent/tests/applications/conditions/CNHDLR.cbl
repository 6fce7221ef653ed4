      *The handler. A program that it calls tries a command it may not use.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNHDLR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SEEN EXTERNAL       PIC X(40).
       01  SEEN-MESSAGE        PIC 9(4).
       01  ZERO-MOVE           PIC S9(9) COMP VALUE 0.
       01  FC                  PIC X(12).
       COPY HDLRARGS.
           MOVE T-MESSAGE TO SEEN-MESSAGE
           MOVE SEEN-MESSAGE TO SEEN(1:4)
           CALL 'CNCMDS'
           CALL 'CEEMRCR' USING ZERO-MOVE FC
           MOVE 10 TO RESULT-CODE
           GOBACK.
