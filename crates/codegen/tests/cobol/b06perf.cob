       IDENTIFICATION DIVISION.
       PROGRAM-ID. B06PERF.
      * Nested PERFORM VARYING + out-of-line PERFORM of paragraphs.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  J               PIC S9(9) COMP VALUE 0.
       01  K               PIC S9(9) COMP VALUE 0.
       01  TOT             PIC S9(9) COMP VALUE 0.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 30
             PERFORM VARYING J FROM 1 BY 1 UNTIL J > 30
               PERFORM INNER-PARA THRU INNER-EXIT
                 VARYING K FROM 1 BY 1 UNTIL K > 300
             END-PERFORM
           END-PERFORM.
           DISPLAY 'B06PERF TOT=' TOT.
           STOP RUN.
       INNER-PARA.
           ADD 1 TO TOT.
           IF TOT > 500000000
              GO TO INNER-EXIT.
           PERFORM LEAF-PARA.
       INNER-EXIT.
           EXIT.
       LEAF-PARA.
           ADD 2 TO TOT.
