       IDENTIFICATION DIVISION.
       PROGRAM-ID. SEARCH.
      * Table search: SEARCH (serial, 100 entries, hit at 50) and
      * SEARCH ALL (binary, 1000 entries).
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  J               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 200000.
       01  M               PIC S9(9) COMP VALUE 2000000.
       01  HITS            PIC S9(9) COMP VALUE 0.
       01  KEYX            PIC X(8).
       01  KEYN            PIC 9(8).
       01  SMALL-TAB.
           05 S-ENT OCCURS 100 TIMES INDEXED BY SX.
              10 S-KEY     PIC X(8).
              10 S-VAL     PIC S9(7) COMP-3.
       01  BIG-TAB.
           05 B-ENT OCCURS 1000 TIMES ASCENDING KEY IS B-KEY
                    INDEXED BY BX.
              10 B-KEY     PIC 9(8).
              10 B-VAL     PIC S9(7) COMP-3.
       01  OUT-1           PIC -(15)9.99.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING J FROM 1 BY 1 UNTIL J > 100
               MOVE J TO KEYN
               MOVE KEYN TO S-KEY(J)
               MOVE J TO S-VAL(J)
           END-PERFORM.
           PERFORM VARYING J FROM 1 BY 1 UNTIL J > 1000
               COMPUTE B-KEY(J) = J * 3
               MOVE J TO B-VAL(J)
           END-PERFORM.
           MOVE '00000050' TO KEYX.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               SET SX TO 1
               SEARCH S-ENT
                  AT END CONTINUE
                  WHEN S-KEY(SX) = KEYX ADD 1 TO HITS
               END-SEARCH
           END-PERFORM.
           MOVE 0 TO J.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > M
               ADD 7 TO J
               IF J > 3000 SUBTRACT 3000 FROM J END-IF
               MOVE J TO KEYN
               SEARCH ALL B-ENT
                  AT END CONTINUE
                  WHEN B-KEY(BX) = KEYN ADD 1 TO HITS
               END-SEARCH
           END-PERFORM.
           MOVE HITS TO OUT-2
           DISPLAY 'HITS' OUT-2.
           STOP RUN.
