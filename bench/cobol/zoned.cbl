       IDENTIFICATION DIVISION.
       PROGRAM-ID. ZONED.
      * Zoned-decimal (USAGE DISPLAY) arithmetic: 4 statements/iter.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 5000000.
       01  CTR             PIC S9(9)     VALUE 0.
       01  PRICE           PIC S9(5)V99  VALUE 12.34.
       01  QTY             PIC S9(5)     VALUE 7.
       01  AMT             PIC S9(9)V99  VALUE 0.
       01  TOTAL           PIC S9(13)V99 VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               ADD 1 TO CTR
               COMPUTE AMT = PRICE * QTY
               ADD AMT TO TOTAL
               SUBTRACT 0.50 FROM TOTAL
           END-PERFORM.
           MOVE CTR TO OUT-2
           DISPLAY 'CTR' OUT-2.
           MOVE TOTAL TO OUT-1
           DISPLAY 'TOTAL' OUT-1.
           STOP RUN.
