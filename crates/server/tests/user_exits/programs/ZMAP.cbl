       IDENTIFICATION DIVISION.
       PROGRAM-ID. ZMAP.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-REPORT           PIC X(64).
       01  EXMAPI.
           02  FILLER          PIC X(12).
           02  NAMEL           PIC S9(4) COMP.
           02  NAMEF           PIC X.
           02  NAMEI           PIC X(8).
           02  OTHERL          PIC S9(4) COMP.
           02  OTHERF          PIC X.
           02  OTHERI          PIC X(8).
       PROCEDURE DIVISION.
           MOVE LOW-VALUES TO EXMAPI.
           MOVE 'THEN' TO OTHERI.
           EXEC CICS SEND MAP('EXMAP') MAPSET('EXMAPS') FROM(EXMAPI)
              ERASE FREEKB END-EXEC.
           EXEC CICS RECEIVE MAP('EXMAP') MAPSET('EXMAPS')
              INTO(EXMAPI) END-EXEC.
           EXEC CICS SEND CONTROL FREEKB END-EXEC.
           MOVE NAMEI TO WS-REPORT.
           EXEC CICS LINK PROGRAM('REPORT')
              COMMAREA(WS-REPORT) END-EXEC.
           EXEC CICS RETURN END-EXEC.
