       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXDUTAB.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XDUREQ.
       COPY EXITGWA.
       01  DCODE               PIC X(8).
       01  TRANDUMP            PIC X.
       01  SYSDUMP             PIC X.
       01  SHUTDOWN            PIC X.
       01  SCOPE               PIC X.
       01  DAE                 PIC X.
       01  MAXIMUM             PIC S9(8) COMP.
       01  CURRENT-COUNT       PIC S9(8) COMP.
       01  COUNTS.
           05  TAKEN           PIC S9(8) COMP.
           05  SUPPRESSED      PIC S9(8) COMP.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF DCODE TO UEPDUMPC.
           SET ADDRESS OF TRANDUMP TO UEPXDTXN.
           SET ADDRESS OF SYSDUMP TO UEPXDSYS.
           SET ADDRESS OF SHUTDOWN TO UEPXDTRM.
           SET ADDRESS OF SCOPE TO UEPXDSCP.
           SET ADDRESS OF DAE TO UEPXDDAE.
           SET ADDRESS OF MAXIMUM TO UEPXDMAX.
           SET ADDRESS OF CURRENT-COUNT TO UEPDXDCNT.
           SET ADDRESS OF COUNTS TO UEPXDTST.
           IF DCODE NOT = 'EXDF' GOBACK.
           ADD 1 TO G-COUNT.
           IF G-COUNT = 1
              IF TRANDUMP = UEPXDYES AND SYSDUMP = UEPXDNO AND
                 SHUTDOWN = UEPXDNO AND SCOPE = UEPXDLOC AND
                 DAE = UEPXDNO AND CURRENT-COUNT = 0 AND MAXIMUM = 999
                 MOVE 'DEFAULTS' TO G-TEXT(1:8)
              END-IF
              MOVE 7 TO MAXIMUM
           END-IF.
           IF G-COUNT = 2
              IF CURRENT-COUNT = 1 AND TAKEN = 1 AND SUPPRESSED = 0
                 AND MAXIMUM = 7
                 MOVE 'COUNTED' TO G-TEXT(10:7)
              END-IF
              MOVE UEPXDNO TO TRANDUMP
              MOVE UEPXDREL TO SCOPE.
           GOBACK.
