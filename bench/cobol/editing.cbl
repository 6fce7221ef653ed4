       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDITING.
      * Numeric-edited MOVEs: 3 edits per iteration.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 5000000.
       01  AMT             PIC S9(9)V99  COMP-3 VALUE 1234567.89.
       01  DAMT            PIC S9(9)V99  VALUE -98765.43.
       01  BAMT            PIC S9(9)     COMP VALUE 123456.
       01  ED1             PIC ZZZ,ZZZ,ZZ9.99-.
       01  ED2             PIC $$$,$$$,$$9.99CR.
       01  ED3             PIC ***,***,**9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               MOVE AMT TO ED1
               MOVE DAMT TO ED2
               MOVE BAMT TO ED3
           END-PERFORM.
           DISPLAY  ED1 ' ' ED2 ' ' ED3.
           STOP RUN.
