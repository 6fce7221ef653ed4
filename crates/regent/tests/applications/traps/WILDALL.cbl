       IDENTIFICATION DIVISION.
       PROGRAM-ID. WILDALL.
      * Runs each statement of WILDCMD with each address, at a level of
      * its own, and shows those that did not end as they must.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-ADDRESSES.
           05  PIC 9(10) VALUE 2056.
           05  PIC 9(10) VALUE 4096.
           05  PIC 9(10) VALUE 2147479552.
           05  PIC 9(10) VALUE 2147483648.
           05  PIC 9(10) VALUE 4042322160.
           05  PIC 9(10) VALUE 4278190080.
           05  PIC 9(10) VALUE 4294967280.
       01  REDEFINES W-ADDRESSES.
           05  W-ADDRESS PIC 9(10) OCCURS 7.
       01  W-CASE PIC S9(8) COMP.
       01  W-AT PIC S9(8) COMP.
       01  W-CODE PIC X(4).
       01  W-COUNT PIC 9(5) VALUE 0.
       01  W-LINE PIC S9(8) COMP VALUE 2.
       01  W-SCREEN.
           05  W-TEXT PIC X(80) OCCURS 20 VALUE SPACES.
       01  C.
           05  C-CASE PIC 9(3).
           05  C-ADDRESS PIC 9(10).
           05  C-EXPECTED PIC X(4).
           05  C-CASES PIC 9(3) VALUE 1.
       PROCEDURE DIVISION.
       MAIN-LOOP.
           MOVE 1 TO W-CASE
           MOVE 0 TO W-AT.
       NEXT-ONE.
           ADD 1 TO W-AT
           IF W-AT > 7
               MOVE 1 TO W-AT
               ADD 1 TO W-CASE
               IF W-CASE > C-CASES GO TO SHOW-ALL END-IF
           END-IF
           MOVE W-CASE TO C-CASE
           MOVE W-ADDRESS(W-AT) TO C-ADDRESS
           EXEC CICS HANDLE ABEND LABEL(ABENDED) END-EXEC
           EXEC CICS LINK PROGRAM('WILDCMD') COMMAREA(C) END-EXEC
           MOVE 'NONE' TO W-CODE
           GO TO TELL.
       ABENDED.
           EXEC CICS ASSIGN ABCODE(W-CODE) END-EXEC.
       TELL.
           ADD 1 TO W-COUNT
           IF W-CODE NOT = C-EXPECTED AND W-LINE < 20
               STRING C-CASE ' AT ' C-ADDRESS ': ' W-CODE ' NOT '
                   C-EXPECTED DELIMITED BY SIZE INTO W-TEXT(W-LINE)
               ADD 1 TO W-LINE
           END-IF
           GO TO NEXT-ONE.
       SHOW-ALL.
           STRING 'WILDALL: ' W-COUNT ' RUN' DELIMITED BY SIZE
               INTO W-TEXT(1)
           EXEC CICS SEND FROM(W-SCREEN) LENGTH(1600) ERASE
               END-EXEC
           EXEC CICS RETURN END-EXEC.
