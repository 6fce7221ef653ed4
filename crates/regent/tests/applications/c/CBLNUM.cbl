       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBLNUM.
      * CALLed by C; what is passed by value may be changed for nothing.
       DATA DIVISION.
       LINKAGE SECTION.
       01  LK-VALUE PIC S9(9) COMP.
       01  LK-TABLE.
           05 LK-ROW PIC S9(4) COMP OCCURS 3.
       01  LK-BIG PIC S9(18) COMP.
       01  LK-PAIR.
           05 LK-LEFT PIC S9(9) COMP.
           05 LK-RIGHT PIC X(4).
       01  LK-CONSTANTS.
           05 LK-CONSTANT PIC S9(9) COMP OCCURS 2.
       01  LK-SMALL PIC S9(4) COMP.
       01  LK-KIND PIC X.
       PROCEDURE DIVISION USING LK-VALUE LK-TABLE LK-BIG LK-PAIR
               LK-CONSTANTS LK-SMALL LK-KIND.
           COMPUTE RETURN-CODE = LK-VALUE + 70000 + LK-BIG + LK-LEFT
               + LK-CONSTANT(1) + LK-CONSTANT(2) + LK-SMALL
           IF LK-KIND NOT = 'K' MOVE 2 TO RETURN-CODE.
           IF LK-RIGHT NOT = 'PAIR' MOVE 1 TO RETURN-CODE.
           ADD LK-BIG TO LK-ROW(2).
           SUBTRACT 1 FROM LK-ROW(3).
           MOVE 0 TO LK-VALUE LK-BIG LK-LEFT.
           GOBACK.
