       IDENTIFICATION DIVISION.
       PROGRAM-ID. PERFORM.
      * Nested PERFORM VARYING + out-of-line PERFORM of paragraphs.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  J               PIC S9(9) COMP VALUE 0.
       01  K               PIC S9(9) COMP VALUE 0.
       01  TOT             PIC S9(9) COMP VALUE 0.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 300
             PERFORM VARYING J FROM 1 BY 1 UNTIL J > 300
               PERFORM INNER-PARA THRU INNER-EXIT
                 VARYING K FROM 1 BY 1 UNTIL K > 300
             END-PERFORM
           END-PERFORM.
           MOVE TOT TO OUT-2
           DISPLAY 'TOT' OUT-2.
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
