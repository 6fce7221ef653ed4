       IDENTIFICATION DIVISION.
       PROGRAM-ID. RECJSON RECURSIVE.
      * Calls itself without end; each activation reads deeply nested
      * JSON text and XML text.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  W-TEXT PIC X(1200).
       01  W-XML PIC X(4200).
       01  W-AT PIC S9(8) COMP VALUE 1.
       01  W-TARGET.
           05  W-NAME PIC X(8).
       LOCAL-STORAGE SECTION.
       01  LS-AREA PIC X(100) VALUE 'LOCAL'.
       PROCEDURE DIVISION.
           MOVE ALL '[' TO W-TEXT(1:511)
           MOVE ALL ']' TO W-TEXT(512:511)
           JSON PARSE W-TEXT(1:1022) INTO W-TARGET
               ON EXCEPTION CONTINUE
           END-JSON
           MOVE ALL '<a>' TO W-XML(1:2100)
           MOVE ALL '</a>' TO W-XML(2101:2100)
           XML PARSE W-XML PROCESSING PROCEDURE ONE-EVENT
               ON EXCEPTION CONTINUE
           END-XML
           CALL 'RECJSON'
           MOVE SPACES TO LS-AREA
           GOBACK.
       ONE-EVENT.
           CONTINUE.
