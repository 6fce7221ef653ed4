       IDENTIFICATION DIVISION.
       PROGRAM-ID. WILDREF.
      * Stores into its parameter, passed or not.
       DATA DIVISION.
       LINKAGE SECTION.
       01  L-PARAMETER PIC X(100).
       PROCEDURE DIVISION USING L-PARAMETER.
           MOVE ALL 'X' TO L-PARAMETER
           GOBACK.
