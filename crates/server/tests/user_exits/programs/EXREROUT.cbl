       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXREROUT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XMEOUT.
       COPY EXITGWA.
       01  MESSAGE-DOMAIN      PIC X(2).
       01  MESSAGE-NUMBER      PIC S9(8) COMP.
       01  ROUTE-CODES         PIC X(28).
       01  ROUTE-COUNT         PIC S9(4) COMP.
       01  QUEUE-COUNT         PIC S9(4) COMP.
       01  QUEUES.
           05  QUEUE           PIC X(4) OCCURS 25.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF MESSAGE-DOMAIN TO UEPMDOM.
           SET ADDRESS OF MESSAGE-NUMBER TO UEPMNUM.
           SET ADDRESS OF ROUTE-CODES TO UEPMROU.
           SET ADDRESS OF ROUTE-COUNT TO UEPMNRC.
           SET ADDRESS OF QUEUES TO UEPMTDQ.
           SET ADDRESS OF QUEUE-COUNT TO UEPMNTD.
      *    A message of the console goes to two queues in its place.
           IF MESSAGE-DOMAIN = 'AP' AND MESSAGE-NUMBER = 701
              ADD 1 TO G-COUNT
              IF ROUTE-COUNT = 1 AND QUEUE-COUNT = 0
                 AND ROUTE-CODES(1:1) = X'02'
                 MOVE 'CONSOLE' TO G-TEXT(1:7)
              END-IF
              MOVE 0 TO ROUTE-COUNT
              MOVE 2 TO QUEUE-COUNT
              MOVE 'EXM1' TO QUEUE(1)
              MOVE 'EXM2' TO QUEUE(2).
      *    A message of a queue goes to another.
           IF MESSAGE-DOMAIN = 'DU' AND MESSAGE-NUMBER = 203
              ADD 1 TO G-COUNT
              MOVE QUEUE(1) TO G-TEXT(10:4)
              IF ROUTE-COUNT = 0 AND QUEUE-COUNT = 1
                 MOVE 'QUEUE' TO G-TEXT(15:5)
              END-IF
              MOVE 'EXM2' TO QUEUE(1).
           GOBACK.
