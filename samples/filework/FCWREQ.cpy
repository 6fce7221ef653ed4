      * What the terminal asks of the main program, and its answer.
       01  FCW-REQUEST.
           05  FCW-WHAT                PIC X(04).
               88  FCW-LOADS               VALUE 'LOAD'.
               88  FCW-READS               VALUE 'READ'.
               88  FCW-UPDATES             VALUE 'UPDT'.
           05  FCW-COUNT               PIC 9(05).
           05  FCW-RECORDS             PIC 9(07).
           05  FCW-DAMAGED             PIC 9(07).
           05  FCW-FIRST-FILE          PIC X(08).
           05  FCW-FIRST-KEY           PIC X(08).
           05  FCW-RESP                PIC S9(08) COMP.
