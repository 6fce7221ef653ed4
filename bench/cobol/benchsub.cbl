       IDENTIFICATION DIVISION.
       PROGRAM-ID. BENCHSUB.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-CNT           PIC S9(9) COMP VALUE 0.
       LINKAGE SECTION.
       01  L-A1            PIC S9(9) COMP.
       01  L-A2            PIC X(32).
       PROCEDURE DIVISION USING L-A1 L-A2.
       MAIN-PARA.
           ADD 1 TO W-CNT.
           ADD 1 TO L-A1.
           GOBACK.
