      *----------------------------------------------------------------
      * TELLERS, IN ORDER OF THEIR ID, FOR SEARCH ALL
      *----------------------------------------------------------------
       01  TELLER-VALUES.
           05 FILLER PIC X(32) VALUE 'ADAMS   4711ROSE ADAMS          '.
           05 FILLER PIC X(32) VALUE 'BAKER   2468TOM BAKER           '.
           05 FILLER PIC X(32) VALUE 'CLARK   1357ANN CLARK           '.
           05 FILLER PIC X(32) VALUE 'DAVIES  9753OWEN DAVIES         '.
           05 FILLER PIC X(32) VALUE 'EVANS   8642MARY EVANS          '.
           05 FILLER PIC X(32) VALUE 'TELLER1 1111TRAINING TELLER 1   '.
           05 FILLER PIC X(32) VALUE 'TELLER2 2222TRAINING TELLER 2   '.
           05 FILLER PIC X(32) VALUE 'TELLER3 3333TRAINING TELLER 3   '.
       01  TELLER-TABLE REDEFINES TELLER-VALUES.
           05  TELLER OCCURS 8 TIMES
               ASCENDING KEY IS TELLER-ID
               INDEXED BY TELLER-IX.
               10  TELLER-ID               PIC X(08).
               10  TELLER-PIN              PIC X(04).
               10  TELLER-NAME             PIC X(20).
