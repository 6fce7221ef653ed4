       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMDSTSB.
      * A transaction of a class: what statistics count of it.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS RETURN END-EXEC.
