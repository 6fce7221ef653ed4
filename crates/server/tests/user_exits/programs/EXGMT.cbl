       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXGMT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       01  I                   PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XGMTEXT.
       COPY EXITGWA.
       01  TERMINAL-ENTRY.
           COPY DFHTCTTE.
       01  TIOA.
           COPY DFHTIOA.
           02  D               PIC X OCCURS 4000.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF TERMINAL-ENTRY TO UEPTCTTE.
           SET ADDRESS OF TIOA TO UEPTIOA.
           ADD 1 TO G-COUNT.
           MOVE TCTTETI TO G-TEXT(1:4).
      *    The text says Give where it said Type.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > TIOATDL - 3
              IF D(I) = 'T' AND D(I + 1) = 'y' AND D(I + 2) = 'p'
                 MOVE 'G' TO D(I)
                 MOVE 'i' TO D(I + 1)
                 MOVE 'v' TO D(I + 2)
              END-IF
           END-PERFORM.
           GOBACK.
