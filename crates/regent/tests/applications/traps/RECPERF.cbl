       IDENTIFICATION DIVISION.
       PROGRAM-ID. RECPERF.
      * A paragraph that performs itself, and two that perform each
      * other: the language forbids it, the region stays.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-DEPTH PIC S9(9) COMP VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM ONE-PARAGRAPH
           GOBACK.
       ONE-PARAGRAPH.
           ADD 1 TO W-DEPTH
           PERFORM OTHER-PARAGRAPH.
       OTHER-PARAGRAPH.
           ADD 1 TO W-DEPTH
           PERFORM ONE-PARAGRAPH.
