      *A called program fails; the handler resumes behind the CALL.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNCALL.
       COPY CNSTART REPLACING ==:HANDLER:== BY =='CNHDLR'==.
           CALL 'CNFAIL'
           MOVE 'RESUMED' TO SEEN(21:)
           EXEC CICS SEND TEXT FROM(SEEN) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
