       IDENTIFICATION DIVISION.
       PROGRAM-ID. DATA1.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  A10 PIC X(10) VALUE 'ABCDEFGHIJ'.
       01  A5  PIC X(5).
       01  A5R PIC X(5) JUST RIGHT.
       01  N4  PIC 9(4) VALUE 1234.
       01  S5  PIC S9(3)V99 VALUE -12.34.
       01  E1  PIC Z,ZZ9.99-.
       01  E2  PIC $$,$$9.99CR.
       01  E3  PIC 99/99/9999.
       01  E4  PIC +++9.
       01  E5  PIC *(6).99.
       01  E6  PIC X(3)BX(3)/X.
       01  E7  PIC ZZZZ BLANK WHEN ZERO.
       01  G.
           05 G1 PIC X(3) VALUE 'XYZ'.
           05 G2 PIC 9(3) VALUE 42.
           05 G3 PIC S9(5) COMP-3 VALUE 77.
       66  G-ALL RENAMES G1 OF G THRU G2 OF G.
       01  H.
           05 G1 PIC X(5).
           05 G9 PIC X.
           05 G2 PIC Z(5).
       01  T.
           05 R OCCURS 5 INDEXED BY IX IY.
              10 RA PIC 99.
              10 RB PIC X(3) OCCURS 2.
       01  V.
           05 VN PIC 99 VALUE 3.
           05 VT OCCURS 1 TO 9 DEPENDING ON VN PIC X(2).
       01  V2 PIC X(30).
       01  I  PIC 9(4) COMP.
       01  J  PIC S9(4) COMP-5.
       01  C-STAT PIC X VALUE 'B'.
           88 IS-A VALUE 'A'.
           88 IS-BD VALUE 'B' THRU 'D'.
       01  NUM-STAT PIC 99 VALUE 15.
           88 TEENS VALUE 13 THRU 19, 99.
       01  RDT PIC X(8) VALUE '20240131'.
       01  RD2 REDEFINES RDT.
           05 YY PIC 9(4).
           05 MM PIC 99.
           05 DD PIC 99.
       PROCEDURE DIVISION.
       MAIN.
           MOVE A10 TO A5. DISPLAY '[' A5 ']'.
           MOVE A10 TO A5R. DISPLAY '[' A5R ']'.
           MOVE 'AB' TO A5R. DISPLAY '[' A5R ']'.
           MOVE N4 TO A5. DISPLAY '[' A5 ']'.
           MOVE 'Z' TO A10(3:2). DISPLAY A10.
           MOVE A10(2:) TO A5. DISPLAY A5.
           MOVE ALL 'xy' TO A5. DISPLAY A5.
           MOVE ZEROS TO A5. DISPLAY A5.
           MOVE S5 TO E1. DISPLAY E1. MOVE S5 TO E2. DISPLAY E2.
           MOVE 1234567 TO E1. DISPLAY E1.
           MOVE 31012024 TO E3. DISPLAY E3.
           MOVE 5 TO E4. DISPLAY E4. MOVE -45 TO E4. DISPLAY E4.
           MOVE 12.5 TO E5. DISPLAY E5.
           MOVE 'ABCDEFG' TO E6. DISPLAY E6.
           MOVE 0 TO E7. DISPLAY '[' E7 ']'. MOVE 7 TO E7.
           DISPLAY '[' E7 ']'.
           MOVE CORRESPONDING G TO H. DISPLAY '[' G1 OF H '][' G2 OF H
             ']'.
           DISPLAY G-ALL.
           MOVE '0099' TO N4. DISPLAY N4.
           MOVE 'ABCDE' TO G. DISPLAY G1 OF G.
           PERFORM VARYING IX FROM 1 BY 1 UNTIL IX > 5
              SET I TO IX
              MOVE I TO RA(IX)
              MOVE 'P' TO RB(IX 1)
              STRING 'Q' RA(IX) DELIMITED BY SIZE INTO RB(IX, 2)
           END-PERFORM.
           DISPLAY T.
           SET IY TO 3. SET IX TO IY. SET IX UP BY 1.
           DISPLAY RA(IX) RB(IX - 1, 2) RA(I).
           COMPUTE J = I - 2.
           DISPLAY RA(J + 1) RB(J 2)(2:2).
           SEARCH R VARYING IX AT END DISPLAY 'NONE'
             WHEN RA(IX) = 5 DISPLAY 'FOUND 5'
           END-SEARCH.
           SET IX TO 1.
           SEARCH R AT END DISPLAY 'NONE'
             WHEN RA(IX) = 77 DISPLAY 'FOUND 77'
           END-SEARCH.
           MOVE 'AABBCC' TO V(3:). DISPLAY V. MOVE V TO V2.
           DISPLAY '[' V2 ']'. MOVE 4 TO VN. MOVE 'DD' TO VT(4).
           DISPLAY V. MOVE V TO V2. DISPLAY '[' V2 ']'.
           MOVE LENGTH OF V TO N4. DISPLAY N4.
           IF IS-BD DISPLAY 'BD'. IF NOT IS-A DISPLAY 'NOT A'.
           IF TEENS DISPLAY 'TEENS'.
           SET IS-A TO TRUE. DISPLAY C-STAT.
           DISPLAY YY '/' MM '/' DD.
           INITIALIZE G T REPLACING NUMERIC DATA BY 9.
           DISPLAY G2 OF G ' ' RA(2).
           INITIALIZE H. DISPLAY '[' H ']'.
           EVALUATE TRUE ALSO NUM-STAT
             WHEN IS-BD ALSO ANY DISPLAY 'W1'
             WHEN IS-A ALSO 1 THRU 14 DISPLAY 'W2'
             WHEN TRUE ALSO 15 DISPLAY 'W3'
             WHEN OTHER DISPLAY 'W4'
           END-EVALUATE.
           EVALUATE C-STAT WHEN 'B' WHEN 'A' DISPLAY 'A OR B'
             WHEN OTHER DISPLAY 'OTHER' END-EVALUATE.
           IF A5 IS NUMERIC DISPLAY 'NUM'.
           IF A10 IS NOT ALPHABETIC DISPLAY 'NOT ALPHA'
             ELSE DISPLAY 'ALPHA'.
           IF N4 > 98 AND < 100 OR = 5 DISPLAY 'ABBREV'.
           IF A5 > SPACES DISPLAY 'HIGH'.
           IF S5 IS NEGATIVE DISPLAY 'NEG'.
           IF A5 = ALL '0' DISPLAY 'ALL 0'.
           STOP RUN.
