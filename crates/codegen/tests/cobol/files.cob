       IDENTIFICATION DIVISION.
       PROGRAM-ID. FILES1.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-F ASSIGN TO OUTDD FILE STATUS IS FS.
           SELECT IN-F ASSIGN TO OUTDD FILE STATUS IS FS.
           SELECT SORT-F ASSIGN TO SORTWK.
           SELECT MISSING ASSIGN TO NOWHERE FILE STATUS IS FS.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-F.
       01  OUT-R.
           05 O-KEY PIC 9(4).
           05 O-TXT PIC X(6).
       FD  IN-F.
       01  IN-R PIC X(10).
       SD  SORT-F.
       01  SORT-R.
           05 S-KEY PIC 9(4).
           05 S-TXT PIC X(6).
       FD  MISSING.
       01  M-R PIC X(10).
       WORKING-STORAGE SECTION.
       01  FS PIC XX.
       01  I PIC 9(4).
       01  EOF-SW PIC X VALUE 'N'.
       01  W PIC X(10).
       PROCEDURE DIVISION.
       MAIN.
           OPEN OUTPUT OUT-F. DISPLAY 'OPEN ' FS.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 5
              COMPUTE O-KEY = FUNCTION MOD(I * 3 7)
              MOVE 'REC' TO O-TXT MOVE I(4:1) TO O-TXT(5:1)
              WRITE OUT-R
           END-PERFORM.
           CLOSE OUT-F.
           OPEN INPUT IN-F.
           PERFORM UNTIL EOF-SW = 'Y'
              READ IN-F INTO W AT END MOVE 'Y' TO EOF-SW
                NOT AT END DISPLAY W END-READ
           END-PERFORM.
           DISPLAY 'EOF ' FS.
           CLOSE IN-F.
           SORT SORT-F ON ASCENDING KEY S-KEY
              INPUT PROCEDURE FEED OUTPUT PROCEDURE DRAIN.
           OPEN INPUT MISSING. DISPLAY 'MISSING ' FS.
           STOP RUN.
       FEED.
           MOVE 'N' TO EOF-SW.
           OPEN INPUT IN-F.
           PERFORM UNTIL EOF-SW = 'Y'
              READ IN-F AT END MOVE 'Y' TO EOF-SW
                NOT AT END RELEASE SORT-R FROM IN-R END-READ
           END-PERFORM.
           CLOSE IN-F.
       DRAIN.
           MOVE 'N' TO EOF-SW.
           PERFORM UNTIL EOF-SW = 'Y'
              RETURN SORT-F AT END MOVE 'Y' TO EOF-SW
                NOT AT END DISPLAY 'S ' S-KEY S-TXT END-RETURN
           END-PERFORM.
