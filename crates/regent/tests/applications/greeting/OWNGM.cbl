       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWNGM.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
      * A protected field with the text and an unprotected one with the
      * cursor.
       01  W-STREAM.
           05  FILLER PIC X(5) VALUE X'1140401DF0'.
           05  FILLER PIC X(12) VALUE 'OWN GREETING'.
           05  FILLER PIC X(3) VALUE X'1D4013'.
      * Reset modified data tags; the keyboard stays locked.
       01  W-CTLCHAR PIC X VALUE X'C1'.
       PROCEDURE DIVISION.
           EXEC CICS SEND FROM(W-STREAM) LENGTH(20) ERASE
                CTLCHAR(W-CTLCHAR) END-EXEC
           EXEC CICS RETURN END-EXEC.
