      * A record of the file NOTES.
       01  NOTE-RECORD.
           05  NOTE-NUMBER             PIC X(04).
           05  NOTE-TEXT               PIC X(40).
           05  FILLER                  PIC X(36) VALUE SPACES.
