       IDENTIFICATION DIVISION.
       PROGRAM-ID. CONTROL1.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I  PIC 9(4) VALUE 0.
       01  J  PIC 9(4) VALUE 0.
       01  K  PIC 99 VALUE 0.
       01  T  PIC 9(6) VALUE 0.
       01  S  PIC 9 VALUE 0.
       PROCEDURE DIVISION.
       FIRST-ONE SECTION.
       A1.
           PERFORM B1 THRU B3.
           PERFORM B2.
           PERFORM C-SECT.
           PERFORM D1 3 TIMES.
           PERFORM D1 VARYING I FROM 1 BY 1 UNTIL I > 3.
           PERFORM D1 WITH TEST AFTER VARYING I FROM 1 BY 2
               UNTIL I > 4.
           MOVE 0 TO T.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
               AFTER J FROM I BY 1 UNTIL J > 3
               ADD 1 TO T
               DISPLAY I ' ' J
           END-PERFORM.
           DISPLAY 'T=' T.
           PERFORM UNTIL K > 5
               ADD 1 TO K
               IF K = 3 EXIT PERFORM CYCLE END-IF
               IF K = 5 EXIT PERFORM END-IF
               DISPLAY 'K=' K
           END-PERFORM.
           PERFORM E1 THRU E9.
           PERFORM E1 THRU E9.
           PERFORM F1.
           PERFORM G1 THRU G-EXIT.
           MOVE 2 TO S.
           GO TO H1 H2 H3 DEPENDING ON S.
           DISPLAY 'NOT REACHED'.
       H1. DISPLAY 'H1'.
       H2. DISPLAY 'H2'.
       H3. DISPLAY 'H3'.
           MOVE 7 TO S.
           GO TO H1 H2 H3 DEPENDING ON S.
           DISPLAY 'FELL THROUGH'.
           PERFORM L-LOOP.
           PERFORM M1.
           GO TO THE-END.
       B1. DISPLAY 'B1'.
       B2. DISPLAY 'B2'.
       B3. DISPLAY 'B3'.
       C-SECT SECTION.
       C1. DISPLAY 'C1'.
           IF T = 0 ADD 1 TO T GO TO C3.
       C2. DISPLAY 'C2'.
       C3. DISPLAY 'C3'.
       D-SECT SECTION.
       D1. DISPLAY 'D1 ' I.
       E1. DISPLAY 'E1'.
           IF K < 90 MOVE 95 TO K GO TO E9.
       E5. DISPLAY 'E5'.
       E9. EXIT.
       F1. DISPLAY 'F1'.
           IF K = 95 NEXT SENTENCE ELSE DISPLAY 'ELSE'.
           DISPLAY 'F1 SENTENCE 2'.
           IF K NOT = 95 DISPLAY 'X' EXIT PARAGRAPH END-IF.
           DISPLAY 'F1 END'.
      * out of an inner range, back into the outer one
       G1. DISPLAY 'G1'.
           PERFORM G5.
           DISPLAY 'G1 AFTER G5'.
       G2. DISPLAY 'G2'.
       G-EXIT. EXIT.
       G5. DISPLAY 'G5'.
           GO TO G2.
       L-LOOP.
           MOVE 0 TO I.
       L-LOOP-2.
           ADD 1 TO I.
       M1.
           PERFORM M2 UNTIL I > 5.
           DISPLAY 'M1 ' I.
       M2.
           ADD 1 TO I.
           IF I = 3 GO TO M2.
       THE-END SECTION.
       Z1.
           DISPLAY 'END'.
           STOP RUN.
