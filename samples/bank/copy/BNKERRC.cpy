      *----------------------------------------------------------------
      * COMMAREA OF BNKERR, WHICH REPORTS AN UNEXPECTED CONDITION
      *----------------------------------------------------------------
       01  BNK-ERROR.
           05  ER-PROGRAM                  PIC X(08) VALUE SPACES.
           05  ER-FUNCTION                 PIC X(16) VALUE SPACES.
           05  ER-RESOURCE                 PIC X(16) VALUE SPACES.
           05  ER-RESP                     PIC S9(08) COMP VALUE ZERO.
           05  ER-RESP2                    PIC S9(08) COMP VALUE ZERO.
           05  ER-TEXT                     PIC X(78) VALUE SPACES.
