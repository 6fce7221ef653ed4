       IDENTIFICATION DIVISION.
       PROGRAM-ID. RECFUN RECURSIVE.
      * As RECLOCAL, with a command and a routine of the run time at
      * each level, and an exit that lets the next level go on.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-TIME PIC S9(15) COMP-3.
       01  W-TEXT PIC X(100) VALUE 'abc'.
       LOCAL-STORAGE SECTION.
       01  LS-AREA PIC X(1000) VALUE 'LOCAL'.
       PROCEDURE DIVISION.
           EXEC CICS ASKTIME ABSTIME(W-TIME) END-EXEC
           MOVE FUNCTION UPPER-CASE(W-TEXT) TO LS-AREA
           EXEC CICS HANDLE ABEND LABEL(AGAIN) END-EXEC
           CALL 'RECFUN'
           GOBACK.
       AGAIN.
           EXEC CICS ASKTIME ABSTIME(W-TIME) END-EXEC
           CALL 'RECFUN'
           GOBACK.
