      *    Defined with CEDF(NO): no display at all
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDFO.
       PROCEDURE DIVISION.
           EXEC CICS ASKTIME END-EXEC
           EXEC CICS RETURN END-EXEC.
