       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXMNRMI.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       01  I                   PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XMNOUT.
       COPY EXITGWA.
       01  TRAN                PIC X(4).
       01  ENTRIES             PIC S9(8) COMP.
       01  DICTIONARY.
           05  DICTIONARY-ENTRY OCCURS 500.
               10  OWNER       PIC X(8).
               10  FILLER      PIC X(18).
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF TRAN TO UEPMRECD.
           SET ADDRESS OF ENTRIES TO UEPDICTE.
           SET ADDRESS OF DICTIONARY TO UEPDICT.
           IF TRAN NOT = 'NOTH' GOBACK.
           MOVE ZERO TO G-COUNT.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > ENTRIES
              IF OWNER(I) = 'DFHRMI' ADD 1 TO G-COUNT END-IF
              IF OWNER(I) = 'DFHTASK' MOVE 'TASK' TO G-TEXT(1:4)
              END-IF
           END-PERFORM.
           GOBACK.
