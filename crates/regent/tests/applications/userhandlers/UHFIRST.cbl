      *Asked before any other handler.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. UHFIRST.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SEEN EXTERNAL       PIC X(40).
       01  SEEN-MESSAGE        PIC 9(4).
       01  ONE-MOVE            PIC S9(9) COMP VALUE 1.
       01  FC                  PIC X(12).
       COPY HDLRARGS.
           IF SEEN = 'RESUME'
               MOVE T-MESSAGE TO SEEN-MESSAGE
               MOVE SEEN-MESSAGE TO SEEN(8:4)
               CALL 'CEEMRCR' USING ONE-MOVE FC
               MOVE 10 TO RESULT-CODE
           END-IF
           GOBACK.
