       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRUEXIT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           COPY DFHUERMC.
       01 WS-NOTE PIC X(3).
       01 WS-OP1 PIC X.
       01 WS-ODD PIC S9(4) COMP.
       01 WS-BITS.
          05 FILLER PIC 9 VALUE 0.
          05 FILLER PIC 9 VALUE 1.
       01 FILLER REDEFINES WS-BITS.
          05 WS-BIT PIC 9 OCCURS 2 TIMES.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
           COPY DFHUERM.
       01 GWA.
          05 G-COUNT PIC 9(4).
          05 G-LOG PIC X(120).
       01 TAA.
          05 T-VOTE PIC S9(4) COMP.
          05 T-DONE PIC S9(4) COMP.
          05 T-ONLY PIC S9(4) COMP.
          05 T-CALLS PIC S9(4) COMP.
       01 RTR.
          COPY DFHUERTR.
       01 HSA.
          COPY DFHUEHSA.
       01 ARGS.
          05 ARG POINTER OCCURS 10 TIMES.
       01 REQ PIC X(8).
       01 REPLY PIC S9(8) COMP.
       01 OP1 PIC X.
       01 OP2 PIC X.
       01 FLAGS PIC S9(8) COMP.
       01 SYNCA PIC X.
       01 QUAL PIC X(8).
       01 UOW PIC X(8).
       01 TRAN PIC X(4).
       PROCEDURE DIVISION.
       MAIN.
           SET ADDRESS OF GWA TO UEPGAA.
           SET ADDRESS OF RTR TO UEPEXN.
           SET ADDRESS OF HSA TO UEPHMSA.
           SET ADDRESS OF ARGS TO HSA-R1.
           SET ADDRESS OF TAA TO UEPTAA.
           SET ADDRESS OF FLAGS TO UEPFLAGS.
           SET ADDRESS OF SYNCA TO UEPSYNCA.
           SET ADDRESS OF QUAL TO UEPRMQUA.
           SET ADDRESS OF UOW TO UEPURID.
           ADD 1 TO G-COUNT.
           IF UERTFID = UERTAPPL PERFORM APPLICATION.
           IF UERTFID = UERTSYNC PERFORM SYNCPOINT.
           IF UERTFID = UERTTASK
              SET ADDRESS OF OP1 TO ARG(1)
              IF OP1 = UERTSOTR MOVE 'ST.' TO WS-NOTE
              ELSE MOVE 'EN.' TO WS-NOTE END-IF
              PERFORM NOTE.
           IF UERTFID = UERTCTER
              MOVE 'TE.' TO WS-NOTE
              PERFORM NOTE.
           IF UERTFID = UERTSPI
              SET ADDRESS OF OP1 TO ARG(1)
              SET ADDRESS OF REQ TO ARG(2)
              MOVE UERTCONN TO OP1
              MOVE 'QUALI' TO REQ.
           GOBACK.
       APPLICATION.
           SET ADDRESS OF REQ TO ARG(1).
           ADD 1 TO T-CALLS.
           MOVE 'AP.' TO WS-NOTE.
           PERFORM NOTE.
           IF REQ = 'WAIT'
              EXEC CICS DELAY INTERVAL(20) END-EXEC.
           IF REQ = 'ABEND'
              EXEC CICS ABEND ABCODE('TRUA') NODUMP END-EXEC.
           IF REQ NOT = 'NOTHING'
              COMPUTE FLAGS = UEFMAPPL + UEFMSYNC.
           IF REQ = 'TASKMGR'
              COMPUTE FLAGS = UEFMAPPL + UEFMSYNC + UEFMTASK.
           IF REQ = 'READ' MOVE UEPREADO TO SYNCA.
           IF REQ = 'ONE' OR REQ = 'TASKMGR' MOVE UEPSUPDR TO SYNCA.
           IF REQ = 'ONEBACK'
              MOVE UEPSUPDR TO SYNCA
              MOVE UERFBOUT TO T-ONLY.
           IF REQ = 'VOTENO' MOVE UERFBACK TO T-VOTE.
           IF REQ = 'HOLD' MOVE UERFHOLD TO T-DONE.
           IF REQ = 'HOLDQUAL'
              MOVE 'MANAGER1' TO QUAL
              MOVE UERFHOLD TO T-DONE.
           IF REQ = 'NOAPPL' MOVE UEFMSYNC TO FLAGS.
           IF ARG(2) NOT = NULL
              SET ADDRESS OF REPLY TO ARG(2)
              MOVE T-CALLS TO REPLY.
           MOVE 42 TO HSA-R15.
       SYNCPOINT.
           SET ADDRESS OF OP1 TO ARG(1).
           SET ADDRESS OF OP2 TO ARG(10).
           MOVE OP1 TO WS-OP1.
           EVALUATE TRUE
              WHEN OP2 = UERTONLY
                 MOVE 'ON.' TO WS-NOTE
                 MOVE UERFOK TO RETURN-CODE
                 IF T-ONLY NOT = 0 MOVE T-ONLY TO RETURN-CODE END-IF
              WHEN OP2 = UERTELUW
                 MOVE 'EL.' TO WS-NOTE
              WHEN OP1 = X'80' OR X'81'
                 MOVE 'PR.' TO WS-NOTE
                 MOVE UERFPREP TO RETURN-CODE
                 IF T-VOTE NOT = 0 MOVE T-VOTE TO RETURN-CODE END-IF
              WHEN OP1 = X'40' OR X'41'
                 MOVE 'CM.' TO WS-NOTE
                 PERFORM ANSWER
              WHEN OP1 = X'20' OR X'21'
                 MOVE 'BK.' TO WS-NOTE
                 PERFORM ANSWER
              WHEN OP1 = X'43'
                 MOVE 'RC.' TO WS-NOTE
                 SET ADDRESS OF TRAN TO ARG(3)
                 MOVE TRAN TO G-LOG(117:4)
                 PERFORM ANSWER
              WHEN OP1 = X'23'
                 MOVE 'RB.' TO WS-NOTE
                 PERFORM ANSWER
              WHEN OP1 = X'0B'
                 MOVE 'NK.' TO WS-NOTE
              WHEN OP1 = X'13'
                 MOVE 'LO.' TO WS-NOTE
              WHEN OP1 = X'04' OR X'05'
                 MOVE 'WT.' TO WS-NOTE
           END-EVALUATE.
           COMPUTE WS-ODD =
              FUNCTION MOD(FUNCTION ORD(WS-OP1) - 1, 2) + 1.
           IF WS-BIT(WS-ODD) = 1 MOVE 'L' TO WS-NOTE(3:1).
           PERFORM NOTE.
       ANSWER.
           MOVE UERFDONE TO RETURN-CODE.
           IF T-DONE NOT = 0 MOVE T-DONE TO RETURN-CODE.
           MOVE 0 TO T-DONE.
       NOTE.
           MOVE WS-NOTE TO G-LOG(G-COUNT * 3 - 2:3).
           MOVE UOW TO G-LOG(101:8).
