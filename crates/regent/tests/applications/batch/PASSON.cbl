      * Writes or reads a sequential data set of variable records, as
      * PARM says.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PASSON.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT PASSED ASSIGN TO UT-S-PASSED FILE STATUS WS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  PASSED RECORDING MODE V
           RECORD VARYING FROM 5 TO 20 DEPENDING ON WS-LENGTH.
       01  PASSED-RECORD           PIC X(20).
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       01  WS-LENGTH               PIC 9(4) COMP.
       LINKAGE SECTION.
       01  PARM.
           05  PARM-LENGTH         PIC S9(4) COMP.
           05  PARM-TEXT           PIC X(5).
       PROCEDURE DIVISION USING PARM.
           IF PARM-TEXT(1:PARM-LENGTH) = 'WRITE'
               OPEN OUTPUT PASSED
               DISPLAY 'OPEN ' WS-STATUS
               MOVE 5 TO WS-LENGTH
               WRITE PASSED-RECORD FROM '00001'
               MOVE 20 TO WS-LENGTH
               WRITE PASSED-RECORD FROM '00002 TWICE AS LONG'
               MOVE 5 TO WS-LENGTH
               WRITE PASSED-RECORD FROM '00003'
               DISPLAY 'WRITTEN 3'
           ELSE
               OPEN INPUT PASSED
               DISPLAY 'OPEN ' WS-STATUS
               PERFORM UNTIL WS-STATUS NOT = '00'
                   READ PASSED
                       NOT AT END
                           DISPLAY 'R ' PASSED-RECORD(1:WS-LENGTH)
                   END-READ
               END-PERFORM
           END-IF
           IF WS-STATUS NOT = '35'
               CLOSE PASSED
           END-IF
           GOBACK.
