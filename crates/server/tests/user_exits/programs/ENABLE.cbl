       IDENTIFICATION DIVISION.
       PROGRAM-ID. ENABLE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY EXITDATA.
       01  POINTS-FOR-EXIT.
           05  FILLER          PIC X(32)
               VALUE 'EXZTERM XZCATT  XZCIN   XZCOUT'.
           05  FILLER          PIC X(32)
               VALUE 'EXSIGN  XSNON   XSNOFF'.
           05  FILLER          PIC X(32)
               VALUE 'EXBMS   XBMIN   XBMOUT'.
       01  FILLER REDEFINES POINTS-FOR-EXIT.
           05  EXIT-ENTRY OCCURS 3.
               10  EXIT-NAME   PIC X(8).
               10  EXIT-POINT  PIC X(8) OCCURS 3.
       01  E                   PIC 9.
       01  P                   PIC 9.
       LINKAGE SECTION.
       COPY EXITGWA.
       PROCEDURE DIVISION.
           PERFORM VARYING E FROM 1 BY 1 UNTIL E > 3
              MOVE EXIT-NAME(E) TO WS-EXIT
              EXEC CICS ENABLE PROGRAM(WS-EXIT) GALENGTH(64) END-EXEC
              PERFORM VARYING P FROM 1 BY 1 UNTIL P > 3
                 IF EXIT-POINT(E, P) NOT = SPACES
                    EXEC CICS ENABLE PROGRAM(WS-EXIT)
                       EXIT(EXIT-POINT(E, P)) END-EXEC
                 END-IF
              END-PERFORM
              EXEC CICS EXTRACT EXIT PROGRAM(WS-EXIT)
                 GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC
              SET ADDRESS OF GWA TO WS-PTR
              MOVE ZERO TO G-COUNT
              MOVE SPACES TO G-TEXT
              EXEC CICS ENABLE PROGRAM(WS-EXIT) START END-EXEC
           END-PERFORM.
           MOVE 'ENABLED' TO WS-REPORT.
           EXEC CICS LINK PROGRAM('REPORT')
              COMMAREA(WS-REPORT) END-EXEC.
           EXEC CICS RETURN END-EXEC.
