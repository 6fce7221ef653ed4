      * Sequential file on an entry-sequenced data set.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ENTRYSEQ.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT EVENTS ASSIGN TO AS-EVENTS FILE STATUS WS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  EVENTS.
       01  EVENT                   PIC X(10).
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       PROCEDURE DIVISION.
           OPEN OUTPUT EVENTS
           WRITE EVENT FROM 'FIRST'
           WRITE EVENT FROM 'SECOND'
           CLOSE EVENTS
           OPEN EXTEND EVENTS
           WRITE EVENT FROM 'THIRD'
           CLOSE EVENTS
           OPEN I-O EVENTS
           READ EVENTS
           READ EVENTS
           REWRITE EVENT FROM 'CHANGED'
           DISPLAY 'REWRITE ' WS-STATUS
           REWRITE EVENT FROM 'TWICE'
           DISPLAY 'REWRITE ' WS-STATUS
           CLOSE EVENTS
           OPEN INPUT EVENTS
           PERFORM UNTIL WS-STATUS NOT = '00'
               READ EVENTS
               DISPLAY 'READ ' WS-STATUS ' ' EVENT
           END-PERFORM
           READ EVENTS
           DISPLAY 'READ ' WS-STATUS
           CLOSE EVENTS
           GOBACK.
