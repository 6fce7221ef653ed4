       IDENTIFICATION DIVISION.
       PROGRAM-ID. SCRKEYP.
      * What a program sees after each attention key, shown on the
      * screen: EIBAID, EIBCPOSN, the response of RECEIVE MAP, lengths
      * and flags of two fields. PF3 ends.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CK-RESP PIC S9(8) COMP.
       01  NUM PIC 9(4).
       01  RESP-NUM PIC 99.
       01  LEN-1 PIC 99.
       01  LEN-2 PIC 99.
       01  HEX-DIGITS PIC X(16) VALUE '0123456789ABCDEF'.
       01  TWO.
           05  BINARY-2 PIC 9(4) COMP VALUE ZERO.
       01  HEXED PIC XX.
       01  HI PIC S9(4) COMP.
       01  LO PIC S9(4) COMP.
       01  AID-HEX PIC XX.
       01  FLAG-1 PIC XX.
       01  FLAG-2 PIC XX.
           COPY SCRSET.
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE LOW-VALUES TO SCRKEYSO
           EXEC CICS SEND MAP('SCRKEYS') MAPSET('SCRSET') MAPONLY
                ERASE FREEKB END-EXEC.
       AGAIN.
           EXEC CICS RECEIVE MAP('SCRKEYS') MAPSET('SCRSET')
                INTO(SCRKEYSI) RESP(CK-RESP) END-EXEC
           IF EIBAID = X'F3'
               EXEC CICS SEND CONTROL ERASE FREEKB END-EXEC
               EXEC CICS RETURN END-EXEC
           END-IF
           MOVE EIBAID TO TWO (2:1)
           PERFORM TO-HEX
           MOVE HEXED TO AID-HEX
           MOVE EIBCPOSN TO NUM
           MOVE CK-RESP TO RESP-NUM
           IF CK-RESP NOT = 0
               MOVE LOW-VALUES TO SCRKEYSI
           END-IF
           MOVE FIRSTL TO LEN-1
           MOVE SECONDL TO LEN-2
           MOVE FIRSTF TO TWO (2:1)
           PERFORM TO-HEX
           MOVE HEXED TO FLAG-1
           MOVE SECONDF TO TWO (2:1)
           PERFORM TO-HEX
           MOVE HEXED TO FLAG-2
           MOVE LOW-VALUES TO SCRKEYSO
           STRING 'AID ' AID-HEX ' CPOSN ' NUM ' RESP ' RESP-NUM
               ' L ' LEN-1 ' ' LEN-2 ' F ' FLAG-1 ' ' FLAG-2 ' '
               EIBTRMID DELIMITED BY SIZE INTO ANSWERO
           IF EIBAID = X'F2'
               EXEC CICS SEND MAP('SCRKEYS') MAPSET('SCRSET')
                    FROM(SCRKEYSO) DATAONLY FRSET FREEKB END-EXEC
           ELSE
               EXEC CICS SEND MAP('SCRKEYS') MAPSET('SCRSET')
                    FROM(SCRKEYSO) ERASE FREEKB END-EXEC
           END-IF
           GO TO AGAIN.
       TO-HEX.
           MOVE LOW-VALUE TO TWO (1:1)
           DIVIDE BINARY-2 BY 16 GIVING HI REMAINDER LO
           MOVE HEX-DIGITS (HI + 1:1) TO HEXED (1:1)
           MOVE HEX-DIGITS (LO + 1:1) TO HEXED (2:1).
