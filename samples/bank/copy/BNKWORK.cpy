      *----------------------------------------------------------------
      * WORK FIELDS THAT EVERY SCREEN PROGRAM HAS
      *----------------------------------------------------------------
       01  WS-RESPONSE.
           05  WS-RESP                     PIC S9(08) COMP VALUE ZERO.
           05  WS-RESP2                    PIC S9(08) COMP VALUE ZERO.
       01  WS-CLOCK.
           05  WS-ABSTIME                  PIC S9(15) COMP-3 VALUE ZERO.
           05  WS-DATE                     PIC X(10) VALUE SPACES.
           05  WS-TIME                     PIC X(08) VALUE SPACES.
       01  WS-TIMESTAMP.
           05  WS-TS-DATE                  PIC X(10) VALUE SPACES.
           05  FILLER                      PIC X(01) VALUE SPACE.
           05  WS-TS-TIME                  PIC X(08) VALUE SPACES.
       01  WS-MESSAGE                      PIC X(78) VALUE SPACES.
       01  WS-END-TEXT                     PIC X(40)
           VALUE 'SIGNED OFF. THANK YOU AND GOOD BYE.'.
