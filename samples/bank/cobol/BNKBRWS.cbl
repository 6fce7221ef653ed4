       IDENTIFICATION DIVISION.
       PROGRAM-ID. BNKBRWS.
      ******************************************************************
      * TRANSACTION BBRW: BROWSE ACCOUNTS FORWARD (PF8) AND BACKWARD
      * (PF7), ALL OF THEM BY ACCOUNT NUMBER, OR THOSE OF A CUSTOMER BY
      * THE ALTERNATE INDEX
      ******************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  WS-PROGRAM                      PIC X(08) VALUE 'BNKBRWS'.
       77  WS-PAGE-SIZE                    PIC S9(04) COMP VALUE +14.
       77  WS-LINE                         PIC S9(04) COMP VALUE ZERO.
       77  WS-KEY                          PIC 9(10) VALUE ZERO.
       77  WS-ALTERNATE-KEY                PIC 9(08) VALUE ZERO.
       77  WS-SCREEN-KEY                   PIC X(10) VALUE SPACES.
       77  WS-BROWSE                       PIC X(01) VALUE 'N'.
           88  BROWSE-STARTED              VALUE 'Y'.
       COPY BNKWORK.
       COPY BNKCOMM.
       COPY BNKERRC.
       01  ACCOUNT-RECORD.
       COPY BNKACCC REPLACING ==:PFX:== BY ==ACCT==.
       01  WS-DETAIL.
           05  DT-ACCOUNT-NO               PIC 9(10).
           05  FILLER                      PIC X(02) VALUE SPACES.
           05  DT-CUSTOMER-NO              PIC 9(08).
           05  FILLER                      PIC X(02) VALUE SPACES.
           05  DT-TYPE                     PIC X(03).
           05  FILLER                      PIC X(02) VALUE SPACES.
           05  DT-STATUS                   PIC X(01).
           05  FILLER                      PIC X(03) VALUE SPACES.
           05  DT-BALANCE                  PIC -Z,ZZZ,ZZZ,ZZ9.99.
           05  FILLER                      PIC X(22) VALUE SPACES.
       01  WS-PAGE.
           05  PAGE-LINE OCCURS 14 TIMES INDEXED BY PAGE-IX.
               10  PAGE-TEXT               PIC X(70).
               10  PAGE-KEY                PIC 9(10).
               10  PAGE-BALANCE            PIC S9(11)V99 COMP-3.
       COPY BNKBR.
       COPY DFHAID.
       COPY DFHBMSCA.

       LINKAGE SECTION.
       01  DFHCOMMAREA                     PIC X(450).

       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBCALEN = 0
               EXEC CICS XCTL PROGRAM('BNKSIGN') END-EXEC
           END-IF
           MOVE DFHCOMMAREA TO BNK-COMMAREA
           MOVE LOW-VALUES TO LISTMAPO
           EVALUATE TRUE
               WHEN CA-NEW
                   MOVE CA-ACCOUNT-NO TO WS-KEY
                   PERFORM PAGE-FORWARD
               WHEN EIBAID = DFHPF3
                   PERFORM RETURN-TO-MENU
               WHEN EIBAID = DFHENTER
                   PERFORM RECEIVE-START
                   PERFORM PAGE-FORWARD
               WHEN EIBAID = DFHPF8 OR EIBAID = DFHPF20
                   ADD 1 CA-LAST-KEY GIVING WS-KEY
                       ON SIZE ERROR MOVE CA-LAST-KEY TO WS-KEY
                   END-ADD
                   PERFORM PAGE-FORWARD
               WHEN EIBAID = DFHPF7 OR EIBAID = DFHPF19
                   MOVE CA-FIRST-KEY TO WS-KEY
                   PERFORM PAGE-BACKWARD
               WHEN OTHER
                   MOVE CA-FIRST-KEY TO WS-KEY
                   MOVE 'THAT KEY HAS NO FUNCTION HERE' TO WS-MESSAGE
                   PERFORM PAGE-FORWARD
           END-EVALUATE
           PERFORM SHOW-PAGE
           SET CA-WAITING TO TRUE
           EXEC CICS RETURN TRANSID('BBRW') COMMAREA(BNK-COMMAREA)
           END-EXEC.

       RECEIVE-START.
           EXEC CICS RECEIVE MAP('LISTMAP') MAPSET('BNKBR')
                RESP(WS-RESP)
           END-EXEC
           MOVE CA-FIRST-KEY TO WS-KEY
           IF WS-RESP = DFHRESP(NORMAL) AND STARTL > 0
               MOVE STARTI TO WS-SCREEN-KEY
               IF WS-SCREEN-KEY IS NUMERIC
                   MOVE WS-SCREEN-KEY TO WS-KEY
               END-IF
           END-IF
           MOVE LOW-VALUES TO LISTMAPO.

       PAGE-FORWARD.
           INITIALIZE WS-PAGE
           MOVE ZERO TO WS-LINE
           PERFORM START-BROWSE
           IF BROWSE-STARTED
               PERFORM READ-NEXT-ACCOUNT
                   UNTIL WS-LINE >= WS-PAGE-SIZE
                      OR WS-RESP NOT = DFHRESP(NORMAL)
               PERFORM END-BROWSE
           END-IF
           IF WS-LINE < WS-PAGE-SIZE AND WS-MESSAGE = SPACES
               MOVE 'END OF LIST' TO WS-MESSAGE
           END-IF.

       START-BROWSE.
           MOVE 'N' TO WS-BROWSE
           IF CA-BY-CUSTOMER
               MOVE CA-CUSTOMER-NO TO WS-ALTERNATE-KEY
               EXEC CICS STARTBR FILE('ACCTCUST')
                    RIDFLD(WS-ALTERNATE-KEY) EQUAL
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
           ELSE
               EXEC CICS STARTBR FILE('ACCOUNT') RIDFLD(WS-KEY) GTEQ
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
           END-IF
           EVALUATE WS-RESP
               WHEN DFHRESP(NORMAL)
                   SET BROWSE-STARTED TO TRUE
               WHEN DFHRESP(NOTFND)
                   MOVE 'NO ACCOUNT FROM THERE ON' TO WS-MESSAGE
               WHEN OTHER
                   MOVE 'STARTBR' TO ER-FUNCTION
                   PERFORM FILE-ERROR
           END-EVALUATE.

      *    OVER THE PATH, RECORDS OF ONE CUSTOMER COME IN THE ORDER OF
      *    THEIR PRIMARY KEYS; DUPKEY SAYS THAT MORE OF THEM FOLLOW
       READ-NEXT-ACCOUNT.
           IF CA-BY-CUSTOMER
               EXEC CICS READNEXT FILE('ACCTCUST')
                    INTO(ACCOUNT-RECORD) RIDFLD(WS-ALTERNATE-KEY)
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               IF WS-RESP = DFHRESP(DUPKEY)
                   MOVE DFHRESP(NORMAL) TO WS-RESP
               END-IF
               IF WS-RESP = DFHRESP(NORMAL)
                  AND ACCT-CUSTOMER-NO NOT = CA-CUSTOMER-NO
                   MOVE DFHRESP(ENDFILE) TO WS-RESP
               END-IF
               IF WS-RESP = DFHRESP(NORMAL)
                  AND ACCT-ACCOUNT-NO >= WS-KEY
                   PERFORM ADD-LINE
               END-IF
           ELSE
               EXEC CICS READNEXT FILE('ACCOUNT')
                    INTO(ACCOUNT-RECORD) RIDFLD(WS-KEY)
                    RESP(WS-RESP) RESP2(WS-RESP2)
               END-EXEC
               IF WS-RESP = DFHRESP(NORMAL)
                   PERFORM ADD-LINE
               END-IF
           END-IF
           IF WS-RESP NOT = DFHRESP(NORMAL)
              AND WS-RESP NOT = DFHRESP(ENDFILE)
               MOVE 'READNEXT' TO ER-FUNCTION
               PERFORM FILE-ERROR
           END-IF.

       ADD-LINE.
           ADD 1 TO WS-LINE
           SET PAGE-IX TO WS-LINE
           PERFORM BUILD-LINE.

       BUILD-LINE.
           MOVE ACCT-ACCOUNT-NO  TO DT-ACCOUNT-NO PAGE-KEY (PAGE-IX)
           MOVE ACCT-CUSTOMER-NO TO DT-CUSTOMER-NO
           MOVE ACCT-TYPE        TO DT-TYPE
           MOVE ACCT-STATUS      TO DT-STATUS
           MOVE ACCT-BALANCE     TO DT-BALANCE PAGE-BALANCE (PAGE-IX)
           MOVE WS-DETAIL        TO PAGE-TEXT (PAGE-IX).

      *    FILL THE PAGE FROM ITS LAST LINE UP, THEN CLOSE THE GAP
       PAGE-BACKWARD.
           IF CA-BY-CUSTOMER
               MOVE ZERO TO WS-KEY
               MOVE 'TOP OF LIST' TO WS-MESSAGE
               PERFORM PAGE-FORWARD
           ELSE
               PERFORM PAGE-BACKWARD-BY-NUMBER
           END-IF.

       PAGE-BACKWARD-BY-NUMBER.
           INITIALIZE WS-PAGE
           COMPUTE WS-LINE = WS-PAGE-SIZE + 1
           PERFORM START-BROWSE
           IF BROWSE-STARTED
      *        THE FIRST READPREV RETURNS THE RECORD AT THE TOP OF THE
      *        PAGE THAT IS ON THE SCREEN: IT IS PASSED OVER
               EXEC CICS READPREV FILE('ACCOUNT') INTO(ACCOUNT-RECORD)
                    RIDFLD(WS-KEY) RESP(WS-RESP)
               END-EXEC
               PERFORM READ-PREVIOUS-ACCOUNT
                   UNTIL WS-LINE = 1
                      OR WS-RESP NOT = DFHRESP(NORMAL)
               PERFORM END-BROWSE
           END-IF
           IF WS-LINE > 1
               MOVE ZERO TO WS-KEY
               MOVE 'TOP OF LIST' TO WS-MESSAGE
               PERFORM PAGE-FORWARD
           ELSE
               MOVE WS-PAGE-SIZE TO WS-LINE
           END-IF.

       READ-PREVIOUS-ACCOUNT.
           EXEC CICS READPREV FILE('ACCOUNT') INTO(ACCOUNT-RECORD)
                RIDFLD(WS-KEY) RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC
           IF WS-RESP = DFHRESP(NORMAL)
               SUBTRACT 1 FROM WS-LINE
               SET PAGE-IX TO WS-LINE
               PERFORM BUILD-LINE
           END-IF.

       END-BROWSE.
           IF CA-BY-CUSTOMER
               EXEC CICS ENDBR FILE('ACCTCUST') END-EXEC
           ELSE
               EXEC CICS ENDBR FILE('ACCOUNT') END-EXEC
           END-IF.

       SHOW-PAGE.
           IF CA-BY-CUSTOMER
               STRING 'ACCOUNTS OF CUSTOMER ' DELIMITED BY SIZE
                      CA-CUSTOMER-NO          DELIMITED BY SIZE
                 INTO SCOPEO
           ELSE
               MOVE 'ALL ACCOUNTS BY NUMBER' TO SCOPEO
           END-IF
           IF WS-LINE > 0
               MOVE PAGE-KEY (1)       TO CA-FIRST-KEY
               MOVE PAGE-KEY (WS-LINE) TO CA-LAST-KEY
           END-IF
           MOVE PAGE-TEXT ( 1) TO LIN01O
           IF PAGE-BALANCE ( 1) < ZERO MOVE DFHRED TO LIN01C END-IF
           MOVE PAGE-TEXT ( 2) TO LIN02O
           IF PAGE-BALANCE ( 2) < ZERO MOVE DFHRED TO LIN02C END-IF
           MOVE PAGE-TEXT ( 3) TO LIN03O
           IF PAGE-BALANCE ( 3) < ZERO MOVE DFHRED TO LIN03C END-IF
           MOVE PAGE-TEXT ( 4) TO LIN04O
           IF PAGE-BALANCE ( 4) < ZERO MOVE DFHRED TO LIN04C END-IF
           MOVE PAGE-TEXT ( 5) TO LIN05O
           IF PAGE-BALANCE ( 5) < ZERO MOVE DFHRED TO LIN05C END-IF
           MOVE PAGE-TEXT ( 6) TO LIN06O
           IF PAGE-BALANCE ( 6) < ZERO MOVE DFHRED TO LIN06C END-IF
           MOVE PAGE-TEXT ( 7) TO LIN07O
           IF PAGE-BALANCE ( 7) < ZERO MOVE DFHRED TO LIN07C END-IF
           MOVE PAGE-TEXT ( 8) TO LIN08O
           IF PAGE-BALANCE ( 8) < ZERO MOVE DFHRED TO LIN08C END-IF
           MOVE PAGE-TEXT ( 9) TO LIN09O
           IF PAGE-BALANCE ( 9) < ZERO MOVE DFHRED TO LIN09C END-IF
           MOVE PAGE-TEXT (10) TO LIN10O
           IF PAGE-BALANCE (10) < ZERO MOVE DFHRED TO LIN10C END-IF
           MOVE PAGE-TEXT (11) TO LIN11O
           IF PAGE-BALANCE (11) < ZERO MOVE DFHRED TO LIN11C END-IF
           MOVE PAGE-TEXT (12) TO LIN12O
           IF PAGE-BALANCE (12) < ZERO MOVE DFHRED TO LIN12C END-IF
           MOVE PAGE-TEXT (13) TO LIN13O
           IF PAGE-BALANCE (13) < ZERO MOVE DFHRED TO LIN13C END-IF
           MOVE PAGE-TEXT (14) TO LIN14O
           IF PAGE-BALANCE (14) < ZERO MOVE DFHRED TO LIN14C END-IF
           PERFORM FILL-HEADING
           MOVE -1 TO STARTL
           EXEC CICS SEND MAP('LISTMAP') MAPSET('BNKBR') FROM(LISTMAPO)
                ERASE CURSOR FREEKB
           END-EXEC.

       FILE-ERROR.
           MOVE 'ACCOUNT' TO ER-RESOURCE
           PERFORM REPORT-ERROR.

       COPY BNKEXIT.
       COPY BNKHEAD REPLACING ==:MAP:== BY ==LISTMAPO==.
       COPY BNKTIME.
