      *A signalled condition, and a math service.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CNSIGNL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER             PROCEDURE-POINTER.
       01  USER-TOKEN          PIC S9(9) COMP VALUE 7.
       01  FC                  PIC X(12).
       01  SEEN EXTERNAL       PIC X(40).
       01  CONDITION           PIC X(12)
                               VALUE X'0003006459E7E8E900000000'.
       01  Q-DATA              PIC S9(9) COMP VALUE 1.
       01  A                   COMP-2 VALUE 144.
       01  ROOT                COMP-2.
       01  SHOWN               PIC 9(4).
       PROCEDURE DIVISION.
           MOVE SPACES TO SEEN
           SET HANDLER TO ENTRY 'CNHDLR'
           CALL 'CEEHDLR' USING HANDLER USER-TOKEN FC
           CALL 'CEESGL' USING CONDITION Q-DATA FC
           CALL 'CEESDSQT' USING A FC ROOT
           COMPUTE SHOWN ROUNDED = ROOT
           MOVE SHOWN TO SEEN(21:4)
           EXEC CICS SEND TEXT FROM(SEEN) ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
