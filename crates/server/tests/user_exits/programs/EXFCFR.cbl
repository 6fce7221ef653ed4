       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXFCFR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
           COPY XFCFRIN.
       COPY EXITGWA.
       01 EXN PIC X.
       01 FUN PIC X.
       01 NAME PIC X(8).
       01 WORD.
          05 PTR POINTER.
       01 REC PIC X(8).
       01 RESPONSE PIC X.
       01 REASON PIC S9(4) COMP.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF EXN TO UEPEXN.
           SET ADDRESS OF FUN TO UEP-FC-FUNCTION.
           SET ADDRESS OF NAME TO UEP-FC-FILE-NAME.
           SET ADDRESS OF WORD TO UEP-FC-BUFFER-P.
           SET ADDRESS OF RESPONSE TO UEP-FC-RESPONSE.
           SET ADDRESS OF REASON TO UEP-FC-REASON.
           ADD 1 TO G-COUNT.
           IF EXN = XFCFRIN OF DFHUEXIT
              IF FUN NOT = UEP-FC-FUN-READ-INTO
                 EXEC CICS ABEND ABCODE('FUNC') END-EXEC
              END-IF
              IF NAME = 'EXITFILE'
                 SET ADDRESS OF REC TO PTR
                 MOVE 'FROMEXIT' TO REC
                 MOVE UERCBYP TO RETURN-CODE
              END-IF
              IF NAME = 'EXITNONE'
                 MOVE UEP-FC-RESPONSE-EXCEPTION TO RESPONSE
                 MOVE 13 TO REASON
                 MOVE UERCBYP TO RETURN-CODE
              END-IF
           ELSE
              IF RESPONSE = UEP-FC-RESPONSE-OK
                 MOVE 'OK' TO G-TEXT(G-COUNT * 4 - 3:2)
              ELSE
                 IF REASON = 12
                    MOVE 'FN' TO G-TEXT(G-COUNT * 4 - 3:2) END-IF
                 IF REASON = 13
                    MOVE 'NF' TO G-TEXT(G-COUNT * 4 - 3:2) END-IF
              END-IF
           END-IF.
           GOBACK.
