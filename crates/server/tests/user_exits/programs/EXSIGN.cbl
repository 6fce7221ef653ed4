       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXSIGN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XSNON.
       COPY EXITGWA.
       01  EXN                 PIC X.
       01  USER-ID             PIC X(8).
       01  USER-LENGTH         PIC X.
       01  TERMINAL            PIC X(4).
       01  KIND                PIC X.
       01  FLAGS               PIC S9(4) COMP.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF EXN TO UEPEXN.
           SET ADDRESS OF USER-ID TO UEPUSRID.
           SET ADDRESS OF USER-LENGTH TO UEPUSRLN.
           SET ADDRESS OF TERMINAL TO UEPTRMID.
           SET ADDRESS OF KIND TO UEPTRMTY.
           SET ADDRESS OF FLAGS TO UEPSNFLG.
           IF EXN = XSNON OF DFHUEXIT
              MOVE 'N' TO G-TEXT(G-COUNT * 12 + 1:1)
              IF FLAGS = UEPSNOK
                 MOVE '+' TO G-TEXT(G-COUNT * 12 + 2:1) END-IF
              IF FLAGS = UEPSNFL
                 MOVE '-' TO G-TEXT(G-COUNT * 12 + 2:1) END-IF
           ELSE
              MOVE 'F' TO G-TEXT(G-COUNT * 12 + 1:1)
              IF FLAGS = UEPSNNML
                 MOVE '+' TO G-TEXT(G-COUNT * 12 + 2:1) END-IF
           END-IF.
           MOVE USER-ID TO G-TEXT(G-COUNT * 12 + 3:8).
           IF USER-LENGTH = X'05' AND KIND = X'91'
              MOVE 'T' TO G-TEXT(G-COUNT * 12 + 11:1).
           ADD 1 TO G-COUNT.
           GOBACK.
