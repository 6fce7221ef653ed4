       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWBUS02.
      ******************************************************************
      * BUSINESS LOGIC OF TRANSACTION RT02: ORDER INQUIRY.
      * 108 SELECTS, 16 CURSORS WITH 54 FETCHES; NOTHING IS CHANGED.
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY RTWDATA.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY RTWCOMM.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM START-WORK
           PERFORM READ-WORK
           PERFORM END-WORK.

       COPY RTWREAD.
