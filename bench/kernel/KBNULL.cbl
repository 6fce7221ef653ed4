       IDENTIFICATION DIVISION.
       PROGRAM-ID. KBNULL.
      ******************************************************************
      * THE PROGRAM THAT IS LINKED TO AND ATTACHED: IT RETURNS AT ONCE
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       LINKAGE SECTION.
       01  DFHCOMMAREA                     PIC X(100).
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
