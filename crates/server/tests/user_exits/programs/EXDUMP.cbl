       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXDUMP.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XDUOUT.
       COPY EXITGWA.
       01  EXN                 PIC X.
       01  FUNCTION-CODE       PIC X.
       01  SECTION-DUMPED.
           05  SECTION-TITLE   PIC X(40).
       01  SECTION-LENGTH      PIC 9(4) COMP-5.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF FUNCTION-CODE TO UEPDMPFC.
           SET ADDRESS OF SECTION-DUMPED TO UEPDMPBF.
           ADD 1 TO G-COUNT.
           EVALUATE FUNCTION-CODE
              WHEN UEPDMPWR
                 MOVE 'W' TO G-TEXT(1:1)
                 IF SECTION-TITLE = 'EXEC interface block'
                    MOVE UERCBYP TO RETURN-CODE
                 END-IF
                 IF SECTION-TITLE = 'Transaction work area'
                    MOVE SECTION-TITLE TO G-TEXT(10:21)
                 END-IF
              WHEN UEPDMPDY
                 MOVE 'D' TO G-TEXT(2:1)
              WHEN UEPDMPAB
                 MOVE 'A' TO G-TEXT(3:1)
           END-EVALUATE.
           GOBACK.
