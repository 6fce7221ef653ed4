      *What a condition handler is told, and where it answers.
       LINKAGE SECTION.
       01  TOKEN.
           05  FILLER          PIC X(2).
           05  T-MESSAGE       PIC S9(4) COMP.
           05  FILLER          PIC X(8).
       01  USER-TOKEN          PIC S9(9) COMP.
       01  RESULT-CODE         PIC S9(9) COMP.
       01  NEW-TOKEN           PIC X(12).
       PROCEDURE DIVISION USING TOKEN USER-TOKEN RESULT-CODE NEW-TOKEN.
