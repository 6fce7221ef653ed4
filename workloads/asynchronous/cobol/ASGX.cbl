       IDENTIFICATION DIVISION.
       PROGRAM-ID. ASGX.
      ******************************************************************
      * TRANSACTION ASGX: CHILDREN BY RUN TRANSID.
      * INPUT: NUMBER OF CHILDREN, MILLISECONDS THAT EACH OF THEM WAITS
      * (ASGX 10 0).
      ******************************************************************
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-CHILDREN                     PIC S9(4) COMP VALUE 10.
       77  WS-NUMBER                       PIC S9(4) COMP.
       77  WS-LENGTH                       PIC S9(4) COMP VALUE 79.
       77  WS-RESP                         PIC S9(8) COMP.
       77  WS-MILLISECONDS                 PIC S9(8) COMP VALUE 0.
       77  WS-CHILD                        PIC X(16).
       77  WS-INPUT                        PIC X(79) VALUE SPACES.
       77  WS-TRANSACTION                  PIC X(4).
       77  WS-WORD-1                       PIC X(9)  VALUE SPACES.
       77  WS-WORD-2                       PIC X(9)  VALUE SPACES.
       77  WS-DATA                         PIC X(4096) VALUE ALL 'DATA'.
       01  WS-MESSAGE.
           05  FILLER                      PIC X(4)  VALUE 'ASGX'.
           05  WS-SHOWN                    PIC ZZZ9.
           05  FILLER                      PIC X(9)  VALUE ' CHILDREN'.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS RECEIVE INTO(WS-INPUT) LENGTH(WS-LENGTH)
                RESP(WS-RESP) END-EXEC
           UNSTRING WS-INPUT DELIMITED BY ALL SPACE
               INTO WS-TRANSACTION WS-WORD-1 WS-WORD-2
           END-UNSTRING
           IF FUNCTION TEST-NUMVAL(WS-WORD-1) = 0
               COMPUTE WS-CHILDREN = FUNCTION NUMVAL(WS-WORD-1)
           END-IF
           IF FUNCTION TEST-NUMVAL(WS-WORD-2) = 0
               COMPUTE WS-MILLISECONDS = FUNCTION NUMVAL(WS-WORD-2)
           END-IF
           PERFORM BEGIN-CHILD VARYING WS-NUMBER FROM 1 BY 1
               UNTIL WS-NUMBER > WS-CHILDREN
           MOVE WS-CHILDREN TO WS-SHOWN
           EXEC CICS SEND FROM(WS-MESSAGE) ERASE END-EXEC
           EXEC CICS RETURN END-EXEC.

       BEGIN-CHILD.
           EXEC CICS PUT CONTAINER('WAIT') CHANNEL('CHILD')
                FROM(WS-MILLISECONDS) END-EXEC
           EXEC CICS PUT CONTAINER('DATA') CHANNEL('CHILD')
                FROM(WS-DATA) END-EXEC
           EXEC CICS RUN TRANSID('ACHL') CHANNEL('CHILD')
                CHILD(WS-CHILD) END-EXEC.
