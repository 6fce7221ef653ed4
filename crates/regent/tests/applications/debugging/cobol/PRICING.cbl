       IDENTIFICATION DIVISION.
       PROGRAM-ID. PRICING.
       DATA DIVISION.
       LINKAGE SECTION.
       01  LK-ORDER.
           05 LK-NUMBER        PIC 9(5).
           05 LK-CUSTOMER      PIC X(10).
           05 LK-STATUS        PIC X.
           05 LK-TOTAL         PIC S9(5)V99 COMP-3.
       PROCEDURE DIVISION USING LK-ORDER.
       PRICE-PARA.
           ADD 1 TO LK-TOTAL
           GOBACK.
