       01  WS-REPORT           PIC X(64).
       01  WS-EXIT             PIC X(8).
       01  WS-PTR              POINTER.
       01  WS-LEN              PIC S9(4) COMP.
       01  WS-RESP             PIC S9(8) COMP.
       01  WS-NUMBER           PIC S9(8) COMP.
       01  WS-TEXT             PIC X(8) VALUE 'RECORD'.
       01  WS-RECORD           PIC X(80).
       01  N                   PIC 99.
       01  TRIES               PIC 99.
