       IDENTIFICATION DIVISION.
       PROGRAM-ID. SCRPAGE.
      * A list of forty items, longer than a page, for the operator to
      * page through. The transaction says how SEND PAGE ends.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CK-RESP PIC S9(8) COMP.
       01  IX PIC S9(4) COMP.
       01  PG PIC S9(4) COMP.
       01  NUM PIC 9(4).
       01  LEN PIC S9(4) COMP.
       01  IN-DATA PIC X(40).
       01  OUT-LINE PIC X(60).
           COPY SCRSET.
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBTRNID = 'SPGN'
               EXEC CICS SEND TEXT FROM('NEXT TRANSACTION RUNS')
                    LENGTH(21) ERASE FREEKB END-EXEC
               EXEC CICS RETURN END-EXEC
           END-IF
           PERFORM SEND-HEADER
           PERFORM VARYING IX FROM 1 BY 1 UNTIL IX > 40
               PERFORM SEND-ITEM
           END-PERFORM
           EVALUATE EIBTRNID
               WHEN 'SPGA'
                   EXEC CICS SEND PAGE END-EXEC
                   EXEC CICS RETURN TRANSID('SPGN') END-EXEC
               WHEN 'SPGB'
                   EXEC CICS SEND PAGE RETAIN END-EXEC
                   MOVE 40 TO LEN
                   MOVE SPACES TO IN-DATA
                   EXEC CICS RECEIVE INTO(IN-DATA) LENGTH(LEN)
                        RESP(CK-RESP) END-EXEC
                   MOVE SPACES TO OUT-LINE
                   STRING 'AFTER PAGES: ' IN-DATA (1:10)
                       DELIMITED BY SIZE INTO OUT-LINE
                   EXEC CICS SEND TEXT FROM(OUT-LINE) LENGTH(40)
                        ERASE FREEKB END-EXEC
               WHEN 'SPGC'
                   EXEC CICS SEND PAGE RELEASE TRANSID('SPGN') END-EXEC
                   EXEC CICS ABEND ABCODE('NOTB') END-EXEC
               WHEN 'SPGD'
                   EXEC CICS SEND PAGE OPERPURGE END-EXEC
           END-EVALUATE
           EXEC CICS RETURN END-EXEC.
       SEND-ITEM.
           MOVE LOW-VALUES TO SCRITEMO
           MOVE IX TO NUM
           STRING 'ITEM' NUM DELIMITED BY SIZE INTO ITEMO
           EXEC CICS SEND MAP('SCRITEM') MAPSET('SCRSET')
                FROM(SCRITEMO) ACCUM PAGING ERASE RESP(CK-RESP) END-EXEC
           IF CK-RESP = DFHRESP(OVERFLOW)
               EXEC CICS SEND MAP('SCRTAIL') MAPSET('SCRSET') MAPONLY
                    ACCUM PAGING ERASE END-EXEC
               PERFORM SEND-HEADER
               EXEC CICS SEND MAP('SCRITEM') MAPSET('SCRSET')
                    FROM(SCRITEMO) ACCUM PAGING ERASE END-EXEC
           END-IF.
       SEND-HEADER.
           MOVE LOW-VALUES TO SCRHEADO
           ADD 1 TO PG
           MOVE PG TO NUM
           MOVE NUM TO PAGENOO
           EXEC CICS SEND MAP('SCRHEAD') MAPSET('SCRSET')
                FROM(SCRHEADO) ACCUM PAGING ERASE END-EXEC.
