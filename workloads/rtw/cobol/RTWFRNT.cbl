       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWFRNT.
      ******************************************************************
      * PRESENTATION LOGIC OF THE SEVEN TRANSACTIONS RT01 TO RT07: ONE
      * MAP IN, A LINK TO THE BUSINESS LOGIC OF THE TRANSACTION, ONE MAP
      * OUT. THE PROGRAM KNOWS NOTHING OF THE DATABASE.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-RESP                         PIC S9(8) COMP.
       77  WS-STATE                        PIC X     VALUE 'R'.
       77  WS-TABLES                       PIC 9(2)  VALUE 16.
       01  WS-BUSINESS.
           05  FILLER                      PIC X(6)  VALUE 'RTWBUS'.
           05  WS-BUSINESS-NUMBER          PIC X(2)  VALUE '01'.
       01  WS-CALLS-LINE.
           05  WS-CALLS-COUNT              PIC ZZZZ9.
           05  FILLER                      PIC X(10) VALUE ' SQL CALLS'.
       01  WS-ERROR-LINE.
           05  FILLER                      PIC X(8)  VALUE 'SQLCODE '.
           05  WS-ERROR-CODE               PIC -(9)9.
           05  FILLER                      PIC X(4)  VALUE ' AT '.
           05  WS-ERROR-PLACE              PIC X(18).
       01  WS-COMMAREA.
           COPY RTWCOMM.
       COPY RTWM.
       LINKAGE SECTION.
       01  DFHCOMMAREA                     PIC X(1).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE LOW-VALUES TO RTWMAPO
           MOVE EIBTRNID(3:2) TO WS-BUSINESS-NUMBER
           IF EIBCALEN = 0
               MOVE 'TYPE A CUSTOMER, AN ITEM, AN ORDER' TO MSGO
           ELSE
               PERFORM DO-BUSINESS
           END-IF
           MOVE EIBTRNID TO TRANO
           MOVE 'RELATIONAL WORKLOAD' TO TITLEO
           MOVE -1 TO CUSTL
           EXEC CICS SEND MAP('RTWMAP') MAPSET('RTWM') FROM(RTWMAPO)
                ERASE CURSOR FREEKB
           END-EXEC
           EXEC CICS RETURN TRANSID(EIBTRNID) COMMAREA(WS-STATE)
                LENGTH(1)
           END-EXEC.

       DO-BUSINESS.
           EXEC CICS RECEIVE MAP('RTWMAP') MAPSET('RTWM')
                RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO RTWMAPI
           END-IF
           INITIALIZE WS-COMMAREA
           MOVE 1 TO RC-CUSTOMER RC-ITEM RC-ORDER
           IF CUSTL > 0 AND CUSTI IS NUMERIC
               MOVE CUSTI TO RC-CUSTOMER
           END-IF
           IF ITEML > 0 AND ITEMI IS NUMERIC
               MOVE ITEMI TO RC-ITEM
           END-IF
           IF ORDNOL > 0 AND ORDNOI IS NUMERIC
               MOVE ORDNOI TO RC-ORDER
           END-IF
           IF TABSL > 0 AND TABSI IS NUMERIC
               MOVE TABSI TO WS-TABLES
           END-IF
           MOVE WS-TABLES TO RC-TABLES
           EXEC CICS LINK PROGRAM(WS-BUSINESS) COMMAREA(WS-COMMAREA)
           END-EXEC
           MOVE LOW-VALUES TO RTWMAPO
           MOVE RC-NAME TO NAMEO
           MOVE RC-TOTAL TO TOTALO
           MOVE RC-CALLS TO WS-CALLS-COUNT
           MOVE WS-CALLS-LINE TO CALLSO
           IF RC-SQLCODE < 0
               MOVE RC-SQLCODE TO WS-ERROR-CODE
               MOVE RC-FAILED-AT TO WS-ERROR-PLACE
               MOVE WS-ERROR-LINE TO MSGO
           ELSE
               MOVE 'DONE' TO MSGO
           END-IF.
