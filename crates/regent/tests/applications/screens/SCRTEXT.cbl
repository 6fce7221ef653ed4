       IDENTIFICATION DIVISION.
       PROGRAM-ID. SCRTEXT.
      * Text longer than a page: paged with header and trailer (STXA),
      * on a line of its own (STXB), with attributes inside (STXC).
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  IX PIC S9(4) COMP.
       01  NUM PIC 9(4).
       01  TEXT-LINE.
           05  FILLER PIC X(5) VALUE 'LINE '.
           05  TEXT-NUM PIC 9(4).
           05  FILLER PIC X VALUE X'15'.
       01  HEAD.
           05  FILLER PIC S9(4) COMP VALUE 15.
           05  FILLER PIC X VALUE '@'.
           05  FILLER PIC X VALUE SPACE.
           05  FILLER PIC X(15) VALUE 'REPORT PAGE @@@'.
       01  TAIL.
           05  FILLER PIC S9(4) COMP VALUE 8.
           05  FILLER PIC X VALUE SPACE.
           05  FILLER PIC X VALUE SPACE.
           05  FILLER PIC X(8) VALUE 'CONTINUE'.
       01  LAST-TAIL.
           05  FILLER PIC S9(4) COMP VALUE 6.
           05  FILLER PIC X VALUE SPACE.
           05  FILLER PIC X VALUE SPACE.
           05  FILLER PIC X(6) VALUE 'NOMORE'.
       01  COLOR-TEXT.
           05  FILLER PIC X(6) VALUE 'PLAIN '.
           05  FILLER PIC X(3) VALUE X'2842F2'.
           05  FILLER PIC X(3) VALUE 'RED'.
           05  FILLER PIC X(3) VALUE X'284200'.
           05  FILLER PIC X(6) VALUE ' AGAIN'.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EVALUATE EIBTRNID
               WHEN 'STXA'
                   PERFORM VARYING IX FROM 1 BY 1 UNTIL IX > 50
                       MOVE IX TO TEXT-NUM
                       EXEC CICS SEND TEXT FROM(TEXT-LINE) LENGTH(10)
                            HEADER(HEAD) TRAILER(TAIL) ACCUM PAGING
                            ERASE FREEKB END-EXEC
                   END-PERFORM
                   EXEC CICS SEND PAGE TRAILER(LAST-TAIL) END-EXEC
               WHEN 'STXB'
                   EXEC CICS SEND TEXT FROM('TENTH LINE') LENGTH(10)
                        JUSTIFY(10) ERASE FREEKB END-EXEC
                   EXEC CICS SEND TEXT FROM('LAST LINE') LENGTH(9)
                        JUSLAST END-EXEC
                   EXEC CICS SEND PAGE END-EXEC
               WHEN 'STXC'
                   EXEC CICS SEND TEXT FROM(COLOR-TEXT) LENGTH(21)
                        ERASE FREEKB END-EXEC
           END-EVALUATE
           EXEC CICS RETURN END-EXEC.
