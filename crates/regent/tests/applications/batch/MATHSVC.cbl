      * Math services of Language Environment.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MATHSVC.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FC.
           05  FC-SEVERITY         PIC S9(4) COMP.
           05  FC-MESSAGE          PIC S9(4) COMP.
           05  FC-REST             PIC X(8).
       01  A                       COMP-2.
       01  B                       COMP-2.
       01  R                       COMP-2.
       01  S-A                     COMP-1.
       01  S-R                     COMP-1.
       01  I-A                     PIC S9(9) COMP VALUE 17.
       01  I-B                     PIC S9(9) COMP VALUE 5.
       01  I-R                     PIC S9(9) COMP.
       01  C-A.
           05  C-A-REAL            COMP-2 VALUE 4.
           05  C-A-IMAGINARY       COMP-2 VALUE 3.
       01  C-B.
           05  C-B-REAL            COMP-2 VALUE 0.
           05  C-B-IMAGINARY       COMP-2 VALUE 1.
       01  C-R.
           05  C-R-REAL            COMP-2.
           05  C-R-IMAGINARY       COMP-2.
       01  SHOWN                   PIC 9(4)V9(6).
       01  DIGITS REDEFINES SHOWN  PIC 9(10).
       01  PART                    PIC S9(4) SIGN TRAILING SEPARATE.
       01  PART-2                  PIC 9(4).
       01  SHOWN-INTEGER           PIC 9(5).
       LINKAGE SECTION.
       01  PARM.
           05  PARM-LENGTH         PIC S9(4) COMP.
           05  PARM-TEXT           PIC X(8).
       PROCEDURE DIVISION USING PARM.
           IF ADDRESS OF PARM NOT = NULL
               CALL 'CEESQSQT' USING A FC R
           END-IF
           MOVE 144 TO A
           CALL 'CEESDSQT' USING A FC R
           COMPUTE SHOWN ROUNDED = R
           DISPLAY 'SQT ' DIGITS ' ' FC-MESSAGE
           MOVE 2 TO A
           MOVE 3 TO B
           CALL 'CEESDXPD' USING A B FC R
           COMPUTE SHOWN ROUNDED = R
           DISPLAY 'XPD ' DIGITS ' ' FC-MESSAGE
           MOVE 2 TO S-A
           CALL 'CEESSLOG' USING S-A FC S-R
           COMPUTE SHOWN ROUNDED = S-R
           DISPLAY 'LOG ' DIGITS ' ' FC-MESSAGE
           CALL 'CEESIMOD' USING I-A I-B FC I-R
           MOVE I-R TO SHOWN-INTEGER
           DISPLAY 'MOD ' SHOWN-INTEGER
           CALL 'CEESEDVD' USING C-A C-B FC C-R
           COMPUTE PART-2 ROUNDED = C-R-REAL
           COMPUTE PART ROUNDED = C-R-IMAGINARY
           DISPLAY 'CDV ' PART-2 ' ' PART
           MOVE 0 TO A
           CALL 'CEESDLOG' USING A FC R
           DISPLAY 'LOG ' FC-MESSAGE
           MOVE 2 TO A
           CALL 'CEESDACS' USING A FC R
           DISPLAY 'ACS ' FC-MESSAGE
           GOBACK.
