      * Callable services of Language Environment.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SERVICES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FC.
           05  FC-SEVERITY         PIC S9(4) COMP.
           05  FC-MESSAGE          PIC S9(4) COMP.
           05  FC-REST             PIC X(8).
       01  HEAP                    PIC S9(9) COMP VALUE 0.
       01  BYTES                   PIC S9(9) COMP VALUE 100.
       01  WS-ADDRESS              POINTER.
       01  WS-CODE                 PIC S9(9) COMP.
       01  WS-PARM                 PIC X(80).
       01  SEED                    PIC S9(9) COMP VALUE 1.
       01  WS-RANDOM               COMP-2.
       01  WS-SCALED               PIC 9(9).
       01  WS-TEXT.
           05  WS-TEXT-LENGTH      PIC S9(4) COMP VALUE 11.
           05  WS-TEXT-BYTES       PIC X(20) VALUE 'TO MSGFILE.'.
       01  WS-TO                   PIC S9(9) COMP VALUE 2.
       01  TOKEN                   PIC X(12).
       01  PARTS.
           05  P-1                 PIC S9(4) COMP VALUE 3.
           05  P-2                 PIC S9(4) COMP VALUE 2507.
           05  P-CASE              PIC S9(4) COMP VALUE 1.
           05  P-SEVERITY          PIC S9(4) COMP VALUE 3.
           05  P-CONTROL           PIC S9(4) COMP VALUE 1.
           05  P-FACILITY          PIC X(3) VALUE 'CEE'.
           05  P-INFORMATION       PIC S9(9) COMP VALUE 0.
       LINKAGE SECTION.
       01  AREA-1                  PIC X(100).
       PROCEDURE DIVISION.
           CALL 'CEEGTST' USING HEAP BYTES WS-ADDRESS FC
           PERFORM SHOW
           SET ADDRESS OF AREA-1 TO WS-ADDRESS
           MOVE ALL 'KEPT' TO AREA-1
           MOVE 5000 TO BYTES
           CALL 'CEECZST' USING WS-ADDRESS BYTES FC
           PERFORM SHOW
           SET ADDRESS OF AREA-1 TO WS-ADDRESS
           DISPLAY AREA-1(1:8)
           CALL 'CEEFRST' USING WS-ADDRESS FC
           PERFORM SHOW
           IF WS-ADDRESS = NULL DISPLAY 'FREED' END-IF
           SET WS-ADDRESS TO ADDRESS OF FC
           CALL 'CEEFRST' USING WS-ADDRESS FC
           PERFORM SHOW
           MOVE 0 TO BYTES
           CALL 'CEEGTST' USING HEAP BYTES WS-ADDRESS FC
           PERFORM SHOW
           CALL 'CEE3PRM' USING WS-PARM FC
           DISPLAY WS-PARM(1:10)
           CALL 'CEERAN0' USING SEED WS-RANDOM FC
           DISPLAY SEED
           COMPUTE WS-SCALED ROUNDED = WS-RANDOM * 100000000
           DISPLAY WS-SCALED
           CALL 'CEEMOUT' USING WS-TEXT WS-TO FC
           CALL 'CEENCOD' USING P-1 P-2 P-CASE P-SEVERITY P-CONTROL
               P-FACILITY P-INFORMATION TOKEN FC
           MOVE ZERO TO P-1 P-2 P-CASE P-SEVERITY P-CONTROL
           CALL 'CEEDCOD' USING TOKEN P-1 P-2 P-CASE P-SEVERITY
               P-CONTROL P-FACILITY P-INFORMATION FC
           DISPLAY P-1 ' ' P-2 ' ' P-CASE P-SEVERITY P-CONTROL
               P-FACILITY
           MOVE 3 TO WS-CODE
           CALL 'CEE3SRC' USING WS-CODE FC
           MOVE 0 TO WS-CODE
           CALL 'CEE3GRC' USING WS-CODE FC
           DISPLAY WS-CODE
           MOVE 0 TO RETURN-CODE
           GOBACK.
       SHOW.
           DISPLAY 'FC ' FC-SEVERITY ' ' FC-MESSAGE.
