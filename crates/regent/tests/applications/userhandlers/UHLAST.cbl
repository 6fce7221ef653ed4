      *Asked behind all other handlers.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. UHLAST.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  TO-FILE             PIC S9(9) COMP VALUE 2.
       01  FC                  PIC X(12).
       01  TEXT-OUT.
           05  FILLER          PIC S9(4) COMP VALUE 11.
           05  FILLER          PIC X(7) VALUE 'UHLAST '.
           05  SEEN-MESSAGE    PIC 9(4).
       COPY HDLRARGS.
           MOVE T-MESSAGE TO SEEN-MESSAGE
           CALL 'CEEMOUT' USING TEXT-OUT TO-FILE FC
           GOBACK.
