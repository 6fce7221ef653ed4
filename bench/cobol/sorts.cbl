       IDENTIFICATION DIVISION.
       PROGRAM-ID. SORTS.
      * SORT with INPUT and OUTPUT PROCEDURE: 50,000 records, two keys.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT SORT-FILE ASSIGN TO SORTWK.
       DATA DIVISION.
       FILE SECTION.
       SD  SORT-FILE.
       01  SORT-REC.
           05 SK-NAME      PIC X(8).
           05 SK-AMT       PIC S9(7)V99 COMP-3.
           05 SK-REST      PIC X(40).
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 50000.
       01  R               PIC S9(9) COMP VALUE 0.
       01  SEED            PIC S9(12) COMP VALUE 12345.
       01  WS-Q            PIC S9(9) COMP VALUE 0.
       01  KEY-N           PIC 9(8).
       01  CHK             PIC S9(9) COMP VALUE 0.
       01  HASH            PIC S9(9) COMP VALUE 0.
       01  EOF-SW          PIC X VALUE 'N'.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING R FROM 1 BY 1 UNTIL R > 4
               MOVE 'N' TO EOF-SW
               SORT SORT-FILE ON ASCENDING KEY SK-NAME
                              ON DESCENDING KEY SK-AMT
                  INPUT PROCEDURE FILL-PARA
                  OUTPUT PROCEDURE TAKE-PARA
           END-PERFORM.
           MOVE CHK TO OUT-2.
           DISPLAY 'CHK' OUT-2.
           MOVE HASH TO OUT-2.
           DISPLAY 'HASH' OUT-2.
           STOP RUN.
       FILL-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               COMPUTE SEED = SEED * 8121 + 28411
               DIVIDE SEED BY 134456 GIVING WS-Q REMAINDER SEED
               MOVE SEED TO KEY-N
               MOVE KEY-N TO SK-NAME
               MOVE I TO SK-AMT
               MOVE SPACES TO SK-REST
               RELEASE SORT-REC
           END-PERFORM.
       TAKE-PARA.
           PERFORM UNTIL EOF-SW = 'Y'
               RETURN SORT-FILE
                 AT END MOVE 'Y' TO EOF-SW
                 NOT AT END
                    ADD 1 TO CHK
                    MOVE SK-NAME TO KEY-N
                    ADD KEY-N TO HASH
                    SUBTRACT SK-AMT FROM HASH
                    IF HASH > 100000000 OR HASH < -100000000
                       MOVE 0 TO HASH
                    END-IF
               END-RETURN
           END-PERFORM.
