       IDENTIFICATION DIVISION.
       PROGRAM-ID. POINT1.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  AREA-1.
           05 F1 PIC X(4) VALUE 'ABCD'.
           05 F2 PIC X(4) VALUE 'EFGH'.
       01  P   USAGE POINTER.
       01  P2  USAGE POINTER VALUE NULL.
       01  C   PIC S9(8) COMP.
       LINKAGE SECTION.
       01  L1 PIC X(4).
       01  L2.
           05 L2A PIC X(2).
           05 L2B PIC X(6).
       PROCEDURE DIVISION.
       MAIN.
           IF P2 = NULL DISPLAY 'NULL'.
           SET P TO ADDRESS OF AREA-1.
           IF P NOT = NULL DISPLAY 'NOT NULL'.
           SET ADDRESS OF L1 TO P. DISPLAY L1.
           SET P UP BY 4.
           SET ADDRESS OF L1 TO P. DISPLAY L1.
           SET ADDRESS OF L2 TO ADDRESS OF F1. DISPLAY L2B.
           MOVE 'zz' TO L2A. DISPLAY AREA-1.
           SET P2 TO ADDRESS OF L2.
           SET P DOWN BY 4.
           IF P = P2 DISPLAY 'EQUAL'.
           SET P TO NULL.
           IF P = NULL DISPLAY 'NULL AGAIN'.
           STOP RUN.
