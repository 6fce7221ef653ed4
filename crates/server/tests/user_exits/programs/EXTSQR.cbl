       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXTSQR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
           COPY XTSQROUT.
       COPY EXITGWA.
       01 EXN PIC X.
       01 FUN PIC X.
       01 QNAME PIC X(16).
       01 WORD.
          05 PTR POINTER.
       01 REC PIC X(8).
       01 RESPONSE PIC X.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF EXN TO UEPEXN.
           SET ADDRESS OF FUN TO UEP-TS-FUNCTION.
           SET ADDRESS OF QNAME TO UEP-TS-QUEUE-NAME.
           ADD 1 TO G-COUNT.
           IF EXN = XTSQRIN OF DFHUEXIT
              MOVE 'I' TO G-TEXT(G-COUNT * 2 - 1:1)
              IF FUN = UEP-TS-FUN-WRITE
                 SET ADDRESS OF WORD TO UEP-TS-DATA-P
                 SET ADDRESS OF REC TO PTR
                 MOVE REC TO G-TEXT(30:8)
                 MOVE QNAME TO G-TEXT(40:16)
              END-IF
           ELSE
              SET ADDRESS OF RESPONSE TO UEP-TS-RESPONSE
              MOVE 'O' TO G-TEXT(G-COUNT * 2 - 1:1)
              IF RESPONSE = UEP-TS-RESPONSE-EXCEPTION
                 MOVE 'X' TO G-TEXT(G-COUNT * 2 - 1:1)
              END-IF
           END-IF.
           IF FUN = UEP-TS-FUN-WRITE MOVE 'W' TO G-TEXT(G-COUNT * 2:1).
           IF FUN = UEP-TS-FUN-READ-NEXT-INTO
              MOVE 'N' TO G-TEXT(G-COUNT * 2:1).
           IF FUN = UEP-TS-FUN-DELETE MOVE 'D' TO G-TEXT(G-COUNT * 2:1).
           GOBACK.
