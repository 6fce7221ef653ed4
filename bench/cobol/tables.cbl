       IDENTIFICATION DIVISION.
       PROGRAM-ID. TABLES.
      * Subscripted packed tables of two dimensions, indexes.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(4) COMP VALUE 0.
       01  J               PIC S9(4) COMP VALUE 0.
       01  R               PIC S9(4) COMP VALUE 0.
       01  TAB.
           05 ROW OCCURS 50 TIMES.
              10 CEL OCCURS 40 TIMES INDEXED BY CX.
                 15 AMT    PIC S9(7)V99 COMP-3.
                 15 CNT    PIC S9(4) COMP.
                 15 FLG    PIC X.
       01  SUMS.
           05 COL-SUM      PIC S9(11)V99 COMP-3 OCCURS 40 TIMES.
       01  TOT             PIC S9(11)V99 COMP-3 VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       PROCEDURE DIVISION.
       MAIN-PARA.
           INITIALIZE TAB SUMS.
           PERFORM VARYING R FROM 1 BY 1 UNTIL R > 500
             PERFORM VARYING I FROM 1 BY 1 UNTIL I > 50
               PERFORM VARYING J FROM 1 BY 1 UNTIL J > 40
                 ADD 1.25 TO AMT(I J)
                 ADD 1 TO CNT(I J)
                 IF CNT(I J) > 100
                    MOVE 0 TO CNT(I J)
                    MOVE 'X' TO FLG(I J)
                 END-IF
                 ADD AMT(I J) TO COL-SUM(J)
               END-PERFORM
             END-PERFORM
             SET CX TO 3
             ADD AMT(7 CX) TO TOT
           END-PERFORM.
           ADD COL-SUM(1) COL-SUM(40) TO TOT.
           MOVE TOT TO OUT-1.
           DISPLAY 'TOT' OUT-1.
           STOP RUN.
