       IDENTIFICATION DIVISION.
       PROGRAM-ID. GROUPS.
      * MOVE of groups, INITIALIZE, table of records: 6 statements.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I               PIC S9(9) COMP VALUE 0.
       01  K               PIC S9(4) COMP VALUE 0.
       01  N               PIC S9(9) COMP VALUE 3000000.
       01  REC-A.
           05 A-KEY        PIC 9(8) VALUE 12345678.
           05 A-NAME       PIC X(30) VALUE 'GONZALEZ, MARIA'.
           05 A-BAL        PIC S9(11)V99 COMP-3 VALUE 5000.00.
           05 A-TEXT       PIC X(100) VALUE 'SOME TEXT'.
       01  REC-B.
           05 B-KEY        PIC 9(8).
           05 B-NAME       PIC X(30).
           05 B-BAL        PIC S9(11)V99 COMP-3.
           05 B-TEXT       PIC X(100).
       01  REC-C           PIC X(400).
       01  TAB.
           05 T-REC OCCURS 50 TIMES.
              10 T-KEY     PIC 9(8).
              10 T-NAME    PIC X(30).
              10 T-BAL     PIC S9(11)V99 COMP-3.
              10 T-TEXT    PIC X(100).
       01  CHK             PIC S9(9) COMP VALUE 0.
       01  OUT-2           PIC -(15)9.
       PROCEDURE DIVISION.
       MAIN-PARA.
           MOVE 1 TO K.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > N
               MOVE REC-A TO REC-B
               MOVE REC-B TO T-REC(K)
               MOVE T-REC(K) TO REC-C
               INITIALIZE REC-B
               MOVE A-KEY TO B-KEY
               MOVE A-NAME TO B-NAME
               MOVE A-BAL TO B-BAL
               IF T-NAME(K) = A-NAME ADD 1 TO CHK END-IF
               ADD 1 TO K
               IF K > 50 MOVE 1 TO K END-IF
           END-PERFORM.
           MOVE CHK TO OUT-2.
           DISPLAY 'CHK' OUT-2 ' ' REC-C(1:38).
           STOP RUN.
