      * What the program of a table keeps: the answer of the last
      * command, and the record of a check.
       01  CK-RESP PIC S9(8) COMP VALUE ZERO.
       01  CK-RESP2 PIC S9(8) COMP VALUE ZERO.
       01  CK-WAITS PIC S9(4) COMP.
       01  CK-RECORDS PIC S9(4) COMP VALUE ZERO.
       01  CK-EDIT PIC -(18)9.
       01  CK-ENDED PIC X(4) VALUE SPACES.
       01  CK-RECORD.
           05  CK-ROW PIC S9(4) COMP.
           05  CK-PART PIC S9(4) COMP.
           05  CK-ANSWER.
               10  CK-A-RESP PIC S9(8) COMP.
               10  CK-A-RESP2 PIC S9(8) COMP.
               10  CK-A-EIBRESP PIC S9(8) COMP.
               10  CK-A-EIBRESP2 PIC S9(8) COMP.
               10  CK-A-EIBFN PIC X(2).
               10  CK-A-EIBRCODE PIC X(6).
               10  CK-A-EIBRSRCE PIC X(8).
               10  CK-A-EIBDS PIC X(8).
               10  CK-A-ENDED PIC X(4).
               10  FILLER PIC X(16).
           05  CK-FOUND REDEFINES CK-ANSWER.
               10  CK-HOLDS PIC X.
               10  CK-SEEN PIC X(40).
               10  FILLER PIC X(19).
       01  CK-LINE PIC X(133).
       01  CK-SCREEN PIC X(25) VALUE 'ANSWERS ARE RECORDED'.
