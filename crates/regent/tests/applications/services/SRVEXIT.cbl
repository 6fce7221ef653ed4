      * Makes the text of a template: the name by which programs know
      * it, and how often the program has been called.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SRVEXIT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CALLS PIC 9.
       01  TEXT-LINE PIC X(40) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY DFHDHTXO.
       01  TEMPLATE-NAME PIC X(8).
       01  BUFFER PIC X(40).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS READQ TS QNAME('SRVCALLS') INTO(CALLS) LENGTH(1)
                ITEM(1) NOHANDLE END-EXEC
           IF EIBRESP NOT = 0
               MOVE 1 TO CALLS
               EXEC CICS WRITEQ TS QNAME('SRVCALLS') FROM(CALLS)
                    LENGTH(1) NOHANDLE END-EXEC
           ELSE
               ADD 1 TO CALLS
               EXEC CICS WRITEQ TS QNAME('SRVCALLS') FROM(CALLS)
                    LENGTH(1) ITEM(1) REWRITE NOHANDLE END-EXEC
           END-IF
           SET ADDRESS OF TEMPLATE-NAME TO DHTX-TEMPLATE-NAME-PTR
           SET ADDRESS OF BUFFER TO DHTX-BUFFER-PTR
           STRING TEMPLATE-NAME (1:DHTX-TEMPLATE-NAME-LEN) ' '
               CALLS ' for &NAME;' DELIMITED BY SIZE INTO TEXT-LINE
           MOVE TEXT-LINE TO BUFFER
           MOVE 20 TO DHTX-TEMPLATE-LEN
           EXEC CICS RETURN END-EXEC.
