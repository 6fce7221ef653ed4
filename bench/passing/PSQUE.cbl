       IDENTIFICATION DIVISION.
       PROGRAM-ID. PSQUE.
      * READS THE DATA FROM THE QUEUE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-LENGTH                       PIC S9(04) COMP-5.
       77  WS-AT                           PIC S9(09) COMP VALUE 1.
       77  WS-FIRST                        PIC X VALUE SPACE.
       01  WS-ITEM                         PIC X(32000).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  LK-SIZE                     PIC S9(09) COMP.
       PROCEDURE DIVISION.
           PERFORM UNTIL WS-AT > LK-SIZE
               MOVE 32000 TO WS-LENGTH
               EXEC CICS READQ TS QUEUE('PSQUEUE') INTO(WS-ITEM)
                    LENGTH(WS-LENGTH) NEXT END-EXEC
               IF WS-AT = 1
                   MOVE WS-ITEM(1:1) TO WS-FIRST
               END-IF
               ADD WS-LENGTH TO WS-AT
           END-PERFORM
           IF WS-FIRST NOT = 'F' OR WS-ITEM(WS-LENGTH:1) NOT = 'L'
               EXEC CICS ABEND ABCODE('PSNO') END-EXEC
           END-IF
           EXEC CICS RETURN END-EXEC.
