       01  GWA.
           05  G-COUNT         PIC 9(4).
           05  G-TEXT          PIC X(60).
