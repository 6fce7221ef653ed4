       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKERR.
      ******************************************************************
      * LINKED TO: MAKE A LINE OF AN UNEXPECTED CONDITION, WRITE IT TO
      * THE LOG QUEUE, AND GIVE IT BACK FOR THE SCREEN
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-EDIT-RESP                    PIC ZZZ9.
       77  WS-EDIT-RESP2                   PIC ZZZ9.
       77  WS-RESP                         PIC S9(08) COMP.

       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  ER-PROGRAM                  PIC X(08).
           05  ER-FUNCTION                 PIC X(16).
           05  ER-RESOURCE                 PIC X(16).
           05  ER-RESP                     PIC S9(08) COMP.
           05  ER-RESP2                    PIC S9(08) COMP.
           05  ER-TEXT                     PIC X(78).

       PROCEDURE DIVISION.
       REPORT-CONDITION.
           IF EIBCALEN < LENGTH OF DFHCOMMAREA
               EXEC CICS ABEND ABCODE('BERR') END-EXEC
           END-IF
           MOVE ER-RESP  TO WS-EDIT-RESP
           MOVE ER-RESP2 TO WS-EDIT-RESP2
           MOVE SPACES   TO ER-TEXT
           STRING ER-PROGRAM  DELIMITED BY SPACE
                  ': '        DELIMITED BY SIZE
                  ER-FUNCTION DELIMITED BY '  '
                  ' '         DELIMITED BY SIZE
                  ER-RESOURCE DELIMITED BY SPACE
                  ' RESP'     DELIMITED BY SIZE
                  WS-EDIT-RESP DELIMITED BY SIZE
                  ' RESP2'    DELIMITED BY SIZE
                  WS-EDIT-RESP2 DELIMITED BY SIZE
             INTO ER-TEXT
           EXEC CICS WRITEQ TD QUEUE('BLOG') FROM(ER-TEXT)
                RESP(WS-RESP)
           END-EXEC
           EXEC CICS RETURN END-EXEC.
