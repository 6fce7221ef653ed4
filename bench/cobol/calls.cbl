       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLS.
      * 10M static CALLs: by literal.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 10000000.
       01  PGM             PIC X(8) VALUE 'BENCHSUB'.
       01  ARG1            PIC S9(9) COMP VALUE 0.
       01  ARG2            PIC X(32) VALUE SPACES.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               CALL 'BENCHSUB' USING ARG1 ARG2
           END-PERFORM.
           MOVE ARG1 TO OUT-2
           DISPLAY 'ARG1' OUT-2.
           STOP RUN.
