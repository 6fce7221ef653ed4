       IDENTIFICATION DIVISION.
       PROGRAM-ID. PLTSTART.
      * Starts two tasks while the region starts, and takes one back.
       PROCEDURE DIVISION.
           EXEC CICS START TRANSID('SHOW') REQID('GONE') END-EXEC
           EXEC CICS START TRANSID('SHOW') REQID('STAYS') END-EXEC
           EXEC CICS CANCEL REQID('GONE') END-EXEC
           EXEC CICS RETURN END-EXEC.
