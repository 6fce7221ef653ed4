       IDENTIFICATION DIVISION.
       PROGRAM-ID. FCWMAIN.
      ******************************************************************
      * FILE WORK: THREE KEY-SEQUENCED FILES WITH RECORDS OF 64, 100 AND
      * 256 BYTES. EACH RECORD KEEPS A HASH OF ITS OTHER BYTES, WHICH IS
      * COMPUTED AGAIN AT EVERY READ: A RECORD THAT IS NOT WHAT WAS
      * WRITTEN IS COUNTED AND LEFT AS IT IS.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-CONTAINER                PIC X(16) VALUE 'REQUEST'.
       77  WS-FILE                     PIC S9(04) COMP.
       77  WS-AT                       PIC S9(04) COMP.
       77  WS-NUMBER                   PIC S9(08) COMP.
       77  WS-LENGTH                   PIC S9(04) COMP.
       77  WS-RESP                     PIC S9(08) COMP.
       77  WS-HASH                     PIC S9(18) COMP.
       77  WS-QUOTIENT                 PIC S9(18) COMP.
       77  WS-KEY                      PIC 9(08).
      * A prime below 2 ** 31.
       77  WS-MODULUS                  PIC S9(18) COMP VALUE 2147483647.
       01  WS-HALFWORD                 PIC S9(04) COMP.
       01  WS-HALFWORD-BYTES REDEFINES WS-HALFWORD.
           05  FILLER                  PIC X.
           05  WS-LOW-BYTE             PIC X.
       01  WS-FILES.
           05  FILLER                  PIC X(08) VALUE 'FCW064'.
           05  FILLER                  PIC S9(04) COMP VALUE 64.
           05  FILLER                  PIC X(08) VALUE 'FCW100'.
           05  FILLER                  PIC S9(04) COMP VALUE 100.
           05  FILLER                  PIC X(08) VALUE 'FCW256'.
           05  FILLER                  PIC S9(04) COMP VALUE 256.
       01  FILLER REDEFINES WS-FILES.
           05  WS-FILE-ENTRY OCCURS 3.
               10  WS-FILE-NAME        PIC X(08).
               10  WS-FILE-LENGTH      PIC S9(04) COMP.
       01  WS-RECORD.
           05  REC-KEY                 PIC 9(08).
           05  REC-HASH                PIC 9(10).
           05  REC-CHANGES             PIC 9(06).
           05  REC-DATA                PIC X(232).
       01  FILLER REDEFINES WS-RECORD.
           05  WS-BYTE                 PIC X OCCURS 256.
       COPY FCWREQ.

       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS GET CONTAINER(WS-CONTAINER) INTO(FCW-REQUEST)
           END-EXEC
           MOVE DFHRESP(NORMAL) TO FCW-RESP
           PERFORM VARYING WS-NUMBER FROM 1 BY 1
                   UNTIL WS-NUMBER > FCW-COUNT
                       OR FCW-RESP NOT = DFHRESP(NORMAL)
               MOVE WS-NUMBER TO WS-KEY
               PERFORM ONE-RECORD VARYING WS-FILE FROM 1 BY 1
                   UNTIL WS-FILE > 3
                       OR FCW-RESP NOT = DFHRESP(NORMAL)
           END-PERFORM
           EXEC CICS PUT CONTAINER(WS-CONTAINER) FROM(FCW-REQUEST)
           END-EXEC
           EXEC CICS RETURN END-EXEC.

       ONE-RECORD.
           MOVE WS-FILE-LENGTH(WS-FILE) TO WS-LENGTH
           EVALUATE TRUE
               WHEN FCW-LOADS
                   PERFORM WRITE-RECORD
               WHEN FCW-READS
                   EXEC CICS READ FILE(WS-FILE-NAME(WS-FILE))
                        INTO(WS-RECORD) LENGTH(WS-LENGTH)
                        RIDFLD(WS-KEY) RESP(WS-RESP)
                   END-EXEC
                   PERFORM TAKE-RECORD
               WHEN FCW-UPDATES
                   EXEC CICS READ FILE(WS-FILE-NAME(WS-FILE)) UPDATE
                        INTO(WS-RECORD) LENGTH(WS-LENGTH)
                        RIDFLD(WS-KEY) RESP(WS-RESP)
                   END-EXEC
                   PERFORM TAKE-RECORD
           END-EVALUATE.

       WRITE-RECORD.
           MOVE ALL 'FILE WORK ' TO REC-DATA
           MOVE WS-KEY TO REC-KEY
           MOVE ZERO TO REC-CHANGES
           PERFORM COMPUTE-HASH
           MOVE WS-HASH TO REC-HASH
           EXEC CICS WRITE FILE(WS-FILE-NAME(WS-FILE))
                FROM(WS-RECORD) LENGTH(WS-LENGTH)
                RIDFLD(WS-KEY) RESP(WS-RESP)
           END-EXEC
           PERFORM NOTE-RESPONSE.

       TAKE-RECORD.
           PERFORM NOTE-RESPONSE
           IF WS-RESP = DFHRESP(NORMAL)
               PERFORM COMPUTE-HASH
               IF WS-HASH NOT = REC-HASH OR WS-KEY NOT = REC-KEY
                   PERFORM NOTE-DAMAGE
               ELSE
                   IF FCW-UPDATES
                       PERFORM REWRITE-RECORD
                   END-IF
               END-IF
           END-IF.

       REWRITE-RECORD.
           ADD 1 TO REC-CHANGES
           PERFORM COMPUTE-HASH
           MOVE WS-HASH TO REC-HASH
           EXEC CICS REWRITE FILE(WS-FILE-NAME(WS-FILE))
                FROM(WS-RECORD) LENGTH(WS-LENGTH) RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL)
               SUBTRACT 1 FROM FCW-RECORDS
               PERFORM NOTE-RESPONSE
           END-IF.

       NOTE-RESPONSE.
           IF WS-RESP = DFHRESP(NORMAL)
               ADD 1 TO FCW-RECORDS
           ELSE
               MOVE WS-RESP TO FCW-RESP
               MOVE WS-FILE-NAME(WS-FILE) TO FCW-FIRST-FILE
               MOVE WS-KEY TO FCW-FIRST-KEY
           END-IF.

       NOTE-DAMAGE.
           IF FCW-DAMAGED = ZERO
               MOVE WS-FILE-NAME(WS-FILE) TO FCW-FIRST-FILE
               MOVE WS-KEY TO FCW-FIRST-KEY
           END-IF
           ADD 1 TO FCW-DAMAGED
           IF FCW-UPDATES
               EXEC CICS UNLOCK FILE(WS-FILE-NAME(WS-FILE)) END-EXEC
           END-IF.

      * Of all bytes of the record but those of the hash itself: the
      * value so far times 31, and the byte, modulo a prime. It tells
      * bytes that are changed or change places.
       COMPUTE-HASH.
           MOVE WS-LENGTH TO WS-HASH
           MOVE ZERO TO WS-HALFWORD
           PERFORM VARYING WS-AT FROM 1 BY 1 UNTIL WS-AT > WS-LENGTH
               IF WS-AT < 9 OR WS-AT > 18
                   MOVE WS-BYTE(WS-AT) TO WS-LOW-BYTE
                   COMPUTE WS-HASH = WS-HASH * 31 + WS-HALFWORD
                   DIVIDE WS-HASH BY WS-MODULUS GIVING WS-QUOTIENT
                       REMAINDER WS-HASH
               END-IF
           END-PERFORM.
