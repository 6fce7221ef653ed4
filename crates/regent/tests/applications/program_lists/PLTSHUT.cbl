       IDENTIFICATION DIVISION.
       PROGRAM-ID. PLTSHUT.
      * Shuts the region down with the program list table its input
      * names, and shows the answer when there is none.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-INPUT.
           05  FILLER       PIC X(5).
           05  W-SUFFIX     PIC X(2).
       01  W-LENGTH         PIC S9(4) COMP VALUE 7.
       01  W-RESP           PIC S9(8) COMP.
       01  W-RESP2          PIC S9(8) COMP.
       01  W-ANSWER.
           05  FILLER       PIC X(5) VALUE 'RESP '.
           05  W-SHOWN      PIC 9(3).
           05  FILLER       PIC X VALUE SPACE.
           05  W-SHOWN-2    PIC 9(3).
       PROCEDURE DIVISION.
           EXEC CICS RECEIVE INTO(W-INPUT) LENGTH(W-LENGTH)
                     END-EXEC
           EXEC CICS PERFORM SHUTDOWN PLT(W-SUFFIX)
                     RESP(W-RESP) RESP2(W-RESP2) END-EXEC
           MOVE W-RESP TO W-SHOWN
           MOVE W-RESP2 TO W-SHOWN-2
           EXEC CICS SEND TEXT FROM(W-ANSWER) ERASE FREEKB
                     END-EXEC
           EXEC CICS RETURN END-EXEC.
