       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXBMS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHUEXIT.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY XBMIN.
       COPY EXITGWA.
       01  EXN                 PIC X.
       01  ELEMENTS            PIC S9(4) COMP.
       01  FIELD-ELEMENT.
           COPY DFHXBMDS.
       01  FIELD-DATA          PIC X(8).
       01  FIELD-ATTRIBUTE     PIC X.
       PROCEDURE DIVISION.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF EXN TO UEPEXN.
           SET ADDRESS OF ELEMENTS TO UEPBMCNT.
           SET ADDRESS OF FIELD-ELEMENT TO UEPBMTAB.
           SET ADDRESS OF FIELD-DATA TO BMXDATA.
           ADD 1 TO G-COUNT.
           IF EXN = XBMOUT OF DFHUEXIT
              MOVE FIELD-DATA TO G-TEXT(1:8)
              IF ELEMENTS = 1 AND BMXMAPST = 'EXMAPS' AND
                 BMXMAP = 'EXMAP' AND BMXMAPLN = 8 AND BMXACTLN = 4
                 AND BMXMAPOF = 90 AND BMXBUF = 90
                 MOVE 'O' TO G-TEXT(20:1)
              END-IF
              MOVE 'CHANGED' TO FIELD-DATA
      *       Protected and bright: the user cannot type there.
              SET ADDRESS OF FIELD-ATTRIBUTE TO BMXATTR
              IF FIELD-ATTRIBUTE = X'C8' MOVE 'I' TO G-TEXT(21:1)
              END-IF
           ELSE
              MOVE FIELD-DATA TO G-TEXT(10:8)
              IF ELEMENTS = 1 AND BMXATTR = NULL AND BMXACTLN = 5
                 MOVE 'N' TO G-TEXT(22:1)
              END-IF
              MOVE 'SEEN' TO FIELD-DATA
           END-IF.
           GOBACK.
