       IDENTIFICATION DIVISION.
       PROGRAM-ID. IDSMAP.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-REPORT           PIC X(16).
       01  IDMAPI.
           02  FILLER          PIC X(12).
           02  LIMITL          PIC S9(4) COMP.
           02  LIMITF          PIC X.
           02  LIMITI          PIC X(6).
           02  OWNERL          PIC S9(4) COMP.
           02  OWNERF          PIC X.
           02  OWNERI          PIC X(6).
           02  AMOUNTL         PIC S9(4) COMP.
           02  AMOUNTF         PIC X.
           02  AMOUNTI         PIC X(6).
       PROCEDURE DIVISION.
           MOVE LOW-VALUES TO IDMAPI.
           EXEC CICS SEND MAP('IDMAP') MAPSET('IDMAPS') FROM(IDMAPI)
              ERASE FREEKB END-EXEC.
           EXEC CICS RECEIVE MAP('IDMAP') MAPSET('IDMAPS')
              INTO(IDMAPI) END-EXEC.
           EXEC CICS SEND CONTROL FREEKB END-EXEC.
           MOVE SPACES TO WS-REPORT.
           MOVE LIMITI TO WS-REPORT(1:6).
           MOVE AMOUNTI TO WS-REPORT(8:6).
           EXEC CICS LINK PROGRAM('REPORT')
              COMMAREA(WS-REPORT) END-EXEC.
           EXEC CICS RETURN END-EXEC.
