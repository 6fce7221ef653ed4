      * Data sets that have never had a record: file status and what VSAM answered.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NEVERLOA.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT KEYED ASSIGN TO KEYED ORGANIZATION INDEXED
               RECORD KEY KEYED-KEY FILE STATUS WS-STATUS WS-VSAM.
           SELECT OPTIONAL MAYBE ASSIGN TO MAYBE ORGANIZATION INDEXED
               RECORD KEY MAYBE-KEY FILE STATUS WS-STATUS WS-VSAM.
           SELECT EVENTS ASSIGN TO AS-EVENTS
               FILE STATUS WS-STATUS WS-VSAM.
           SELECT SLOTS ASSIGN TO SLOTS ORGANIZATION RELATIVE
               FILE STATUS WS-STATUS WS-VSAM.
       DATA DIVISION.
       FILE SECTION.
       FD  KEYED.
       01  KEYED-RECORD.
           05  KEYED-KEY           PIC X(4).
           05  FILLER              PIC X(6).
       FD  MAYBE.
       01  MAYBE-RECORD.
           05  MAYBE-KEY           PIC X(4).
           05  FILLER              PIC X(6).
       FD  EVENTS.
       01  EVENT                   PIC X(10).
       FD  SLOTS.
       01  SLOT                    PIC X(10).
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       01  WS-VSAM.
           05  WS-RETURN           PIC S9(4) COMP.
           05  WS-COMPONENT        PIC S9(4) COMP.
           05  WS-REASON           PIC S9(4) COMP.
       01  WS-SHOWN.
           05  WS-SHOWN-RETURN     PIC 9(5).
           05  FILLER              PIC X VALUE SPACE.
           05  WS-SHOWN-REASON     PIC 9(5).
       PROCEDURE DIVISION.
           OPEN INPUT KEYED
           PERFORM VSAM-ANSWER
           DISPLAY 'KEYED INPUT   ' WS-STATUS ' ' WS-SHOWN
           IF WS-STATUS = '00' CLOSE KEYED END-IF
           OPEN I-O KEYED
           PERFORM VSAM-ANSWER
           DISPLAY 'KEYED I-O     ' WS-STATUS ' ' WS-SHOWN
           IF WS-STATUS = '00' CLOSE KEYED END-IF
           OPEN EXTEND EVENTS
           PERFORM VSAM-ANSWER
           DISPLAY 'EVENTS EXTEND ' WS-STATUS ' ' WS-SHOWN
           OPEN INPUT SLOTS
           PERFORM VSAM-ANSWER
           DISPLAY 'SLOTS INPUT   ' WS-STATUS ' ' WS-SHOWN
           IF WS-STATUS = '00' CLOSE SLOTS END-IF
           OPEN INPUT MAYBE
           DISPLAY 'MAYBE INPUT   ' WS-STATUS
           READ MAYBE NEXT
           DISPLAY 'MAYBE READ    ' WS-STATUS
           CLOSE MAYBE
           OPEN I-O MAYBE
           DISPLAY 'MAYBE I-O     ' WS-STATUS
           CLOSE MAYBE
           OPEN INPUT MAYBE
           DISPLAY 'MAYBE INPUT   ' WS-STATUS
           CLOSE MAYBE
           OPEN OUTPUT KEYED
           DISPLAY 'KEYED OUTPUT  ' WS-STATUS
           CLOSE KEYED
           OPEN INPUT KEYED
           DISPLAY 'KEYED INPUT   ' WS-STATUS
           READ KEYED NEXT
           DISPLAY 'KEYED READ    ' WS-STATUS
           CLOSE KEYED
           OPEN OUTPUT SLOTS
           DISPLAY 'SLOTS OUTPUT  ' WS-STATUS
           CLOSE SLOTS
           OPEN I-O SLOTS
           DISPLAY 'SLOTS I-O     ' WS-STATUS
           CLOSE SLOTS
           GOBACK.
       VSAM-ANSWER.
           MOVE WS-RETURN TO WS-SHOWN-RETURN
           MOVE WS-REASON TO WS-SHOWN-REASON.
