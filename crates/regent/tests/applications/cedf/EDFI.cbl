      *    Is given a channel
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDFI.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
