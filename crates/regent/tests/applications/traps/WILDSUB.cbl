       IDENTIFICATION DIVISION.
       PROGRAM-ID. WILDSUB.
      * Stores into its communication area.
       DATA DIVISION.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(32763).
       PROCEDURE DIVISION.
           MOVE 'X' TO DFHCOMMAREA(50:1)
           EXEC CICS RETURN END-EXEC.
