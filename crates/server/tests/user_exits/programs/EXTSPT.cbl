       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXTSPT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XTSPTOUT.
       COPY EXITGWA.
       01  EXN                 PIC X.
       01  FUN                 PIC X.
       01  QNAME               PIC X(16).
       01  DATA-ADDRESS.
           05  PTR             POINTER.
       01  DATUM               PIC X(4).
       01  RESPONSE            PIC X.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF EXN TO UEPEXN.
           SET ADDRESS OF FUN TO UEP-TS-FUNCTION.
           SET ADDRESS OF QNAME TO UEP-TS-QUEUE-NAME.
           IF QNAME NOT = 'EXTSREQ' GOBACK.
           IF EXN = XTSPTIN OF DFHUEXIT
              MOVE 'I' TO G-TEXT(G-COUNT * 6 + 1:1)
           ELSE
              SET ADDRESS OF RESPONSE TO UEP-TS-RESPONSE
              IF RESPONSE = UEP-TS-RESPONSE-OK
                 MOVE 'O' TO G-TEXT(G-COUNT * 6 + 1:1) END-IF
           END-IF.
           EVALUATE FUN
              WHEN UEP-TS-FUN-PUT
                 MOVE 'P' TO G-TEXT(G-COUNT * 6 + 2:1)
              WHEN UEP-TS-FUN-GET-RELEASE
                 MOVE 'G' TO G-TEXT(G-COUNT * 6 + 2:1)
              WHEN UEP-TS-FUN-GET-RELEASE-SET
                 MOVE 'S' TO G-TEXT(G-COUNT * 6 + 2:1)
              WHEN UEP-TS-FUN-RELEASE
                 MOVE 'R' TO G-TEXT(G-COUNT * 6 + 2:1)
           END-EVALUATE.
           IF UEP-TS-DATA-P NOT = NULL
              SET ADDRESS OF DATA-ADDRESS TO UEP-TS-DATA-P
              SET ADDRESS OF DATUM TO PTR
              MOVE DATUM TO G-TEXT(G-COUNT * 6 + 3:4).
           ADD 1 TO G-COUNT.
           GOBACK.
