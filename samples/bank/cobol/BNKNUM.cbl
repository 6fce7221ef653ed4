       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKNUM.
      ******************************************************************
      * CALLED: IS A TEXT A NUMBER THAT FUNCTION NUMVAL TAKES? AT MOST
      * ONE DECIMAL POINT, ONE SIGN IN FRONT, AT LEAST ONE DIGIT
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-POINTS                       PIC S9(04) COMP.
       77  WS-DIGITS                       PIC S9(04) COMP.
       77  WS-INDEX                        PIC S9(04) COMP.
       77  WS-GAP                          PIC X(01).
       77  WS-CHARACTER                    PIC X(01).

       LINKAGE SECTION.
       01  LK-TEXT                         PIC X(20).
       01  LK-VALID                        PIC X(01).

       PROCEDURE DIVISION USING LK-TEXT LK-VALID.
       CHECK-TEXT.
           MOVE 'Y'  TO LK-VALID
           MOVE 'N'  TO WS-GAP
           MOVE ZERO TO WS-POINTS WS-DIGITS
           PERFORM CHECK-CHARACTER THRU CHECK-CHARACTER-EXIT
               VARYING WS-INDEX FROM 1 BY 1 UNTIL WS-INDEX > 20
           IF WS-DIGITS = ZERO OR WS-POINTS > 1
               MOVE 'N' TO LK-VALID
           END-IF
           GOBACK.

       CHECK-CHARACTER.
           MOVE LK-TEXT (WS-INDEX:1) TO WS-CHARACTER
           IF WS-CHARACTER = SPACE
               IF WS-DIGITS > 0 OR WS-POINTS > 0
                   MOVE 'Y' TO WS-GAP
               END-IF
               GO TO CHECK-CHARACTER-EXIT
           END-IF
           EVALUATE TRUE
               WHEN WS-GAP = 'Y'
                   MOVE 'N' TO LK-VALID
               WHEN WS-CHARACTER IS NUMERIC
                   ADD 1 TO WS-DIGITS
               WHEN WS-CHARACTER = '.'
                   ADD 1 TO WS-POINTS
               WHEN (WS-CHARACTER = '+' OR '-')
                    AND WS-DIGITS = ZERO AND WS-POINTS = ZERO
                   CONTINUE
               WHEN OTHER
                   MOVE 'N' TO LK-VALID
           END-EVALUATE.
       CHECK-CHARACTER-EXIT.
           EXIT.
