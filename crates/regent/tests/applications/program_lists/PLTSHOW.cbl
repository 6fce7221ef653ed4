       IDENTIFICATION DIVISION.
       PROGRAM-ID. PLTSHOW.
      * Tells the operator at which stage of the region it runs, and
      * who called it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-INITIALIZATION PIC S9(8) COMP.
       01  W-STATUS         PIC S9(8) COMP.
       01  W-TEXT.
           05  FILLER       PIC X(8) VALUE 'PLTSHOW '.
           05  W-STAGE      PIC X(12).
           05  W-REGION     PIC X(10).
           05  W-CALLER     PIC X(8).
           05  FILLER       PIC X VALUE SPACE.
           05  W-TRANSID    PIC X(5).
           05  W-STARTED    PIC X(2).
       PROCEDURE DIVISION.
           EXEC CICS INQUIRE SYSTEM INITSTATUS(W-INITIALIZATION)
                     CICSSTATUS(W-STATUS) END-EXEC
           EVALUATE W-INITIALIZATION
               WHEN DFHVALUE(SECONDINIT)
                   MOVE 'SECONDINIT' TO W-STAGE
               WHEN DFHVALUE(THIRDINIT)
                   MOVE 'THIRDINIT' TO W-STAGE
               WHEN DFHVALUE(INITCOMPLETE)
                   MOVE 'INITCOMPLETE' TO W-STAGE
           END-EVALUATE
           EVALUATE W-STATUS
               WHEN DFHVALUE(STARTUP)
                   MOVE 'STARTUP' TO W-REGION
               WHEN DFHVALUE(ACTIVE)
                   MOVE 'ACTIVE'  TO W-REGION
               WHEN DFHVALUE(FIRSTQUIESCE)
                   MOVE 'FIRST'   TO W-REGION
               WHEN DFHVALUE(FINALQUIESCE)
                   MOVE 'FINAL'   TO W-REGION
           END-EVALUATE
           EXEC CICS ASSIGN INVOKINGPROG(W-CALLER)
                     STARTCODE(W-STARTED) END-EXEC
           MOVE EIBTRNID TO W-TRANSID
           EXEC CICS WRITE OPERATOR TEXT(W-TEXT) END-EXEC
           EXEC CICS RETURN END-EXEC.
