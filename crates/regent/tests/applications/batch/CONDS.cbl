      *Conditions: handlers of CEEHDLR, signals, the resume cursor.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CONDS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER             PROCEDURE-POINTER.
       01  NO-HANDLER          PROCEDURE-POINTER VALUE NULL.
       01  USER-TOKEN          PIC S9(9) COMP VALUE 77.
       01  FC.
           05  FC-SEVERITY     PIC S9(4) COMP.
           05  FC-MESSAGE      PIC S9(4) COMP.
           05  FC-REST         PIC X(8).
       01  CONDITION.
           05  C-SEVERITY      PIC S9(4) COMP.
           05  C-MESSAGE       PIC S9(4) COMP VALUE 100.
           05  C-FLAGS         PIC X.
           05  C-FACILITY      PIC X(3) VALUE 'XYZ'.
           05  C-INSTANCE      PIC S9(9) COMP VALUE 0.
       01  C-CASE              PIC S9(4) COMP VALUE 1.
       01  C-CONTROL           PIC S9(4) COMP VALUE 1.
       01  Q-DATA              PIC S9(9) COMP VALUE 4711.
       01  MOVE-TYPE           PIC S9(9) COMP VALUE 0.
       01  TO-FILE             PIC S9(9) COMP VALUE 2.
       01  MESSAGE-AREA        PIC X(80).
       01  MESSAGE-AT          PIC S9(9) COMP VALUE 0.
       01  HOW EXTERNAL        PIC X(8).
       01  LEVELS EXTERNAL     PIC 9(4).
       LINKAGE SECTION.
       01  PARM.
           05  PARM-LENGTH     PIC S9(4) COMP.
           05  PARM-TEXT       PIC X(8).
       PROCEDURE DIVISION USING PARM.
           MOVE PARM-TEXT(1:PARM-LENGTH) TO HOW
           MOVE 0 TO LEVELS
           SET HANDLER TO ENTRY 'ONCOND'
           EVALUATE HOW
               WHEN 'CODES' PERFORM CODES
               WHEN 'MESSAGES' PERFORM MESSAGES-OF-TOKENS
               WHEN 'MOVE1' PERFORM LEAVE-TWO
               WHEN 'SKIP' PERFORM LEAVE-TWO
               WHEN 'SIGNAL' PERFORM SIGNALS
               WHEN 'PROMOTE' PERFORM SIGNALS
               WHEN 'NOFC' PERFORM WITHOUT-CODE
               WHEN 'CALLEE' PERFORM MISSING
               WHEN 'ALONE' CALL 'FAILS'
               WHEN OTHER PERFORM LEAVE-ONE
           END-EVALUATE
           DISPLAY 'END OF CONDS'
           GOBACK.
       LEAVE-ONE.
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           PERFORM SHOW
           IF HOW = 'TWO'
               ADD 1 TO USER-TOKEN
               CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           END-IF
           IF HOW = 'TWICE'
               CALL 'FAILS'
               DISPLAY 'BEHIND FAILS'
           END-IF
           CALL 'FAILS'
           DISPLAY 'BEHIND FAILS'.
       LEAVE-TWO.
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           CALL 'MIDDLE'
           DISPLAY 'BEHIND MIDDLE'.
       SIGNALS.
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           MOVE 3 TO C-SEVERITY
           CALL 'CEENCOD' USING C-SEVERITY C-MESSAGE C-CASE C-SEVERITY
               C-CONTROL C-FACILITY C-INSTANCE CONDITION FC
           CALL 'CEESGL' USING CONDITION Q-DATA FC
           PERFORM SHOW
           CALL 'CEEHDLU' USING HANDLER FC
           CALL 'CEESGL' USING CONDITION Q-DATA FC
           PERFORM SHOW.
       WITHOUT-CODE.
           MOVE 1 TO C-SEVERITY
           CALL 'CEENCOD' USING C-SEVERITY C-MESSAGE C-CASE C-SEVERITY
               C-CONTROL C-FACILITY C-INSTANCE CONDITION FC
           CALL 'CEESGL' USING CONDITION Q-DATA OMITTED
           DISPLAY 'A WARNING GOES ON'
           MOVE 2 TO C-SEVERITY
           CALL 'CEENCOD' USING C-SEVERITY C-MESSAGE C-CASE C-SEVERITY
               C-CONTROL C-FACILITY C-INSTANCE CONDITION FC
           CALL 'CEESGL' USING CONDITION Q-DATA OMITTED
           DISPLAY 'NOT REACHED'.
       MISSING.
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           CALL 'NOWHERE'
           DISPLAY 'BEHIND NOWHERE'.
       CODES.
           CALL 'CEEHDLU' USING HANDLER FC
           PERFORM SHOW
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           PERFORM SHOW
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           PERFORM SHOW
           CALL 'CEEHDLR' USING NO-HANDLER USER-TOKEN FC
           PERFORM SHOW
           CALL 'CEEHDLU' USING HANDLER FC
           PERFORM SHOW
           CALL 'CEEHDLU' USING HANDLER FC
           PERFORM SHOW
           CALL 'CEEMRCR' USING MOVE-TYPE FC
           PERFORM SHOW
           MOVE 2 TO MOVE-TYPE
           CALL 'CEEMRCR' USING MOVE-TYPE FC
           PERFORM SHOW
           CALL 'CEEITOK' USING CONDITION FC
           PERFORM SHOW
           CALL 'CEEGQDT' USING FC Q-DATA CONDITION
           MOVE CONDITION TO FC
           PERFORM SHOW
           CALL 'CEETEST' USING PARM FC
           PERFORM SHOW
           CALL 'CEEGPID' USING MOVE-TYPE Q-DATA FC
           DISPLAY 'PLATFORM ' Q-DATA.
       MESSAGES-OF-TOKENS.
           MOVE LOW-VALUES TO FC
           MOVE -1 TO MOVE-TYPE
           CALL 'CEEMRCR' USING MOVE-TYPE FC
           CALL 'CEEMSG' USING FC TO-FILE OMITTED
           MOVE FC TO CONDITION
           PERFORM TEST AFTER UNTIL MESSAGE-AT = 0
               CALL 'CEEMGET' USING CONDITION MESSAGE-AREA MESSAGE-AT FC
               DISPLAY '<' MESSAGE-AREA '>' FC-MESSAGE
           END-PERFORM
           MOVE 'XYZ' TO C-FACILITY
           CALL 'CEEMSG' USING CONDITION TO-FILE FC
           PERFORM SHOW
           MOVE 3 TO TO-FILE
           CALL 'CEEMSG' USING CONDITION TO-FILE FC
           PERFORM SHOW.
       SHOW.
           DISPLAY 'FC ' FC-SEVERITY ' ' FC-MESSAGE.
       END PROGRAM CONDS.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MIDDLE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER             PROCEDURE-POINTER.
       01  USER-TOKEN          PIC S9(9) COMP VALUE 88.
       01  FC                  PIC X(12).
       PROCEDURE DIVISION.
           SET HANDLER TO ENTRY 'ONCOND'
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           CALL 'FAILS'
           DISPLAY 'BEHIND FAILS IN MIDDLE'
           GOBACK.
       END PROGRAM MIDDLE.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FAILS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SPACES-ITEM         PIC X(5) VALUE SPACES.
       01  PACKED REDEFINES SPACES-ITEM PIC S9(9) COMP-3.
       PROCEDURE DIVISION.
           ADD 1 TO PACKED
           DISPLAY 'NOT REACHED'
           GOBACK.
       END PROGRAM FAILS.
      *The handler: what it is told, and what the case asks for.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ONCOND RECURSIVE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HOW EXTERNAL        PIC X(8).
       01  LEVELS EXTERNAL     PIC 9(4).
       01  ZERO-MOVE           PIC S9(9) COMP VALUE 0.
       01  ONE-MOVE            PIC S9(9) COMP VALUE 1.
       01  FC                  PIC X(12).
       01  INITIAL-TOKEN.
           05  FILLER          PIC X(2).
           05  I-MESSAGE       PIC S9(4) COMP.
           05  FILLER          PIC X(8).
       01  FAILING-NAME        PIC X(80).
       01  Q-DATA              PIC S9(9) COMP.
       01  SPACES-ITEM         PIC X(5).
       01  PACKED REDEFINES SPACES-ITEM PIC S9(9) COMP-3.
       LINKAGE SECTION.
       01  TOKEN.
           05  T-SEVERITY      PIC S9(4) COMP.
           05  T-MESSAGE       PIC S9(4) COMP.
           05  FILLER          PIC X.
           05  T-FACILITY      PIC X(3).
           05  FILLER          PIC X(4).
       01  USER-TOKEN          PIC S9(9) COMP.
       01  RESULT-CODE         PIC S9(9) COMP.
       01  NEW-TOKEN.
           05  N-SEVERITY      PIC S9(4) COMP.
           05  N-MESSAGE       PIC S9(4) COMP.
           05  N-REST          PIC X(8).
       PROCEDURE DIVISION USING TOKEN USER-TOKEN RESULT-CODE NEW-TOKEN.
           ADD 1 TO LEVELS
           CALL 'CEE3GRN' USING FAILING-NAME FC
           DISPLAY 'HANDLER ' T-FACILITY T-MESSAGE ' ' T-SEVERITY ' '
               USER-TOKEN ' ' FAILING-NAME(1:8) RESULT-CODE
           EVALUATE HOW
               WHEN 'MOVE0' WHEN 'TWICE'
                   CALL 'CEEMRCR' USING ZERO-MOVE FC
                   MOVE 10 TO RESULT-CODE
               WHEN 'MOVE1'
                   CALL 'CEEMRCR' USING ONE-MOVE FC
                   MOVE 10 TO RESULT-CODE
               WHEN 'INPLACE'
                   MOVE 10 TO RESULT-CODE
               WHEN 'SKIP'
                   IF USER-TOKEN = 88
                       MOVE 21 TO RESULT-CODE
                   ELSE
                       CALL 'CEEMRCR' USING ZERO-MOVE FC
                       MOVE 10 TO RESULT-CODE
                   END-IF
               WHEN 'SIGNAL'
                   CALL 'CEEGQDT' USING TOKEN Q-DATA FC
                   DISPLAY 'Q-DATA ' Q-DATA
                   MOVE 10 TO RESULT-CODE
               WHEN 'PROMOTE'
                   MOVE TOKEN TO NEW-TOKEN
                   IF T-MESSAGE = 100
                       MOVE 101 TO N-MESSAGE
                       MOVE 33 TO RESULT-CODE
                   ELSE
                       CALL 'CEEITOK' USING INITIAL-TOKEN FC
                       DISPLAY 'WAS ' I-MESSAGE
                       MOVE 10 TO RESULT-CODE
                   END-IF
               WHEN 'CALLEE'
                   CALL 'CEEMRCR' USING ZERO-MOVE FC
                   MOVE 10 TO RESULT-CODE
               WHEN 'NEST'
                   IF LEVELS < 3
                       PERFORM FAIL-AGAIN
                   END-IF
                   CALL 'CEEMRCR' USING ZERO-MOVE FC
                   MOVE 10 TO RESULT-CODE
               WHEN 'STOP'
                   STOP RUN
               WHEN OTHER
                   CONTINUE
           END-EVALUATE
           GOBACK.
       FAIL-AGAIN.
           MOVE SPACES TO SPACES-ITEM
           ADD 1 TO PACKED.
       END PROGRAM ONCOND.
