       IDENTIFICATION DIVISION.
       PROGRAM-ID. KEYOPNC.
      ******************************************************************
      * OPENAPI: TELLS THE KIND OF ITS TCB AFTER A COMMAND ON QR
      ******************************************************************
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY KEYOPND.
       PROCEDURE DIVISION.
       COPY KEYOPNP.
