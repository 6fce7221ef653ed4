      *A program linked to abends: its caller handles that.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNLINK.
       COPY CNSTART REPLACING ==:HANDLER:== BY =='CNHDLR'==.
           CALL 'CNLINKS'
           MOVE 'RESUMED' TO SEEN(21:)
           EXEC CICS SEND TEXT FROM(SEEN) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
