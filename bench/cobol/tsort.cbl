       IDENTIFICATION DIVISION.
       PROGRAM-ID. TSORT.
      * SORT of a table of 5,000 entries, 20 times.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  R               PIC S9(9) COMP VALUE 0.
       01  SEED            PIC S9(12) COMP VALUE 12345.
       01  WS-Q            PIC S9(9) COMP VALUE 0.
       01  CHK             PIC S9(9) COMP VALUE 0.
       01  TAB.
           05 ENT OCCURS 5000 TIMES.
              10 E-NAME    PIC X(8).
              10 E-AMT     PIC S9(7) COMP-3.
              10 E-NO      PIC 9(8).
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING R FROM 1 BY 1 UNTIL R > 20
               PERFORM FILL-PARA VARYING I FROM 1 BY 1 UNTIL I > 5000
               SORT ENT ON ASCENDING KEY E-AMT
                        ON DESCENDING KEY E-NAME
               ADD E-AMT(2500) TO CHK
           END-PERFORM.
           MOVE CHK TO OUT-2.
           DISPLAY 'CHK' OUT-2 ' ' E-NAME(1) E-NO(5000).
           STOP RUN.
       FILL-PARA.
           COMPUTE SEED = SEED * 8121 + 28411.
           DIVIDE SEED BY 134456 GIVING WS-Q REMAINDER SEED.
           MOVE SEED TO E-NO(I).
           MOVE E-NO(I) TO E-NAME(I).
           COMPUTE E-AMT(I) = SEED - 60000.
