       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSUBX.
      * Linked to by the checks; acts by the function it is given.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  UNUSED PIC X.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-FUNCTION PIC X(4).
           05  CA-LENGTH PIC S9(8) COMP.
           05  CA-RESP PIC S9(8) COMP.
           05  CA-RESP2 PIC S9(8) COMP.
           05  CA-TEXT PIC X(20).
           05  CA-DATA PIC X(64).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'TRANSFERRED' TO CA-TEXT
           MOVE EIBCALEN TO CA-LENGTH
           EXEC CICS RETURN END-EXEC.
