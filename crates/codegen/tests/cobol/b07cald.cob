       IDENTIFICATION DIVISION.
       PROGRAM-ID. B07CALD.
      * 10M dynamic CALLs by identifier.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 1000.
       01  PGM             PIC X(8) VALUE 'B07SUB'.
       01  ARG1            PIC S9(9) COMP VALUE 0.
       01  ARG2            PIC X(32) VALUE SPACES.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               CALL PGM USING ARG1 ARG2
           END-PERFORM.
           DISPLAY 'B07CALD ARG1=' ARG1.
           STOP RUN.
