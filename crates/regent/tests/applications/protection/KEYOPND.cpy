       01  WS-TCB                          PIC S9(8) COMP.
       01  WS-TEXT                         PIC X(30) VALUE SPACES.
