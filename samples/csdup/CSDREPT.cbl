      *****************************************************************
      * A report of the definitions in a CSD, for the EXTRACT command *
      * of DFHCSDUP:                                                  *
      *                                                               *
      *   EXTRACT LIST(name) OBJECTS USERPROGRAM(CSDREPT)             *
      *                                                               *
      * DFHCSDUP calls the program at each point of the extraction.   *
      * A parameter that a point does not have has no address.        *
      *****************************************************************
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CSDREPT.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT REPORT-FILE ASSIGN TO REPORT
               ORGANIZATION IS LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  REPORT-FILE.
       01  REPORT-LINE             PIC X(79).
       WORKING-STORAGE SECTION.
       01  RESOURCES               PIC 9(5) VALUE ZERO.
       01  GROUPS                  PIC 9(5) VALUE ZERO.
       01  KEPT                    PIC 9(4) COMP.
       LINKAGE SECTION.
       01  FUNCTION-CODE           PIC S9(4) COMP.
           88  INITIAL-CALL        VALUE 0.
           88  LIST-START          VALUE 2.
           88  GROUP-START         VALUE 4.
           88  OBJECT-START        VALUE 6.
           88  KEYWORD-DETAIL      VALUE 8.
           88  OBJECT-END          VALUE 10.
           88  GROUP-END           VALUE 12.
           88  LIST-END            VALUE 14.
           88  FINAL-CALL          VALUE 16.
       01  WORK-AREA               POINTER.
       01  EXTRACT-COMMAND         PIC X(75).
       01  LIST-NAME               PIC X(8).
       01  GROUP-NAME              PIC X(8).
       01  OBJECT-TYPE             PIC X(12).
       01  OBJECT-NAME             PIC X(8).
       01  KEYWORD-NAME            PIC X(12).
       01  KEYWORD-LENGTH          PIC S9(4) COMP.
       01  KEYWORD-VALUE           PIC X(255).
       PROCEDURE DIVISION USING FUNCTION-CODE WORK-AREA
               EXTRACT-COMMAND LIST-NAME GROUP-NAME OBJECT-TYPE
               OBJECT-NAME KEYWORD-NAME KEYWORD-LENGTH KEYWORD-VALUE.
           MOVE SPACES TO REPORT-LINE.
           EVALUATE TRUE
               WHEN INITIAL-CALL
                   OPEN OUTPUT REPORT-FILE
                   MOVE EXTRACT-COMMAND TO REPORT-LINE
                   WRITE REPORT-LINE
               WHEN LIST-START
                   STRING 'LIST ' LIST-NAME DELIMITED BY SIZE
                       INTO REPORT-LINE
                   WRITE REPORT-LINE
               WHEN GROUP-START
                   ADD 1 TO GROUPS
                   STRING '  GROUP ' GROUP-NAME DELIMITED BY SIZE
                       INTO REPORT-LINE
                   WRITE REPORT-LINE
               WHEN OBJECT-START
                   ADD 1 TO RESOURCES
                   STRING '    ' OBJECT-TYPE ' ' OBJECT-NAME
                       DELIMITED BY SIZE INTO REPORT-LINE
                   WRITE REPORT-LINE
               WHEN KEYWORD-DETAIL
                   PERFORM SHOW-KEYWORD
               WHEN FINAL-CALL
                   STRING RESOURCES ' RESOURCES IN ' GROUPS ' GROUPS'
                       DELIMITED BY SIZE INTO REPORT-LINE
                   WRITE REPORT-LINE
                   CLOSE REPORT-FILE
               WHEN OTHER
                   CONTINUE
           END-EVALUATE.
           GOBACK.
      * Only attributes with a value, and as much of it as fits.
       SHOW-KEYWORD.
           IF KEYWORD-LENGTH > 0
               MOVE KEYWORD-LENGTH TO KEPT
               IF KEPT > 58
                   MOVE 58 TO KEPT
               END-IF
               STRING '      ' KEYWORD-NAME ' ' KEYWORD-VALUE(1:KEPT)
                   DELIMITED BY SIZE INTO REPORT-LINE
               WRITE REPORT-LINE
           END-IF.
