      * What a program of command checks keeps: the response it wants
      * of a command, what it counted, and the text of each fault.
       01  CK-RESP PIC S9(8) COMP VALUE ZERO.
       01  CK-RESP2 PIC S9(8) COMP VALUE ZERO.
       01  CK-NAME PIC X(30).
       01  WANT-RESP PIC S9(8) COMP.
       01  WANT-RESP2 PIC S9(8) COMP.
       01  WANT-FN PIC X(2).
       01  WANT-RCODE PIC X.
       01  WANT-RCODE-KNOWN PIC X VALUE 'N'.
       01  WANT-RESOURCE PIC X(8) VALUE SPACES.
       01  WANT-FILE PIC X(8) VALUE SPACES.
       01  CK-RESULT.
           05  CK-COUNT PIC 9(4) VALUE ZERO.
           05  CK-FAULTS PIC 9(4) VALUE ZERO.
           05  CK-FIRST PIC X(79) VALUE SPACES.
       01  CK-EDIT PIC -(6)9.
       01  CK-EDIT2 PIC -(6)9.
       01  CK-LINES.
           05  CK-HEAD PIC X(79) VALUE SPACES.
           05  CK-HEAD-END PIC X VALUE X'15'.
           05  CK-LINE OCCURS 18 TIMES.
               10  CK-TEXT PIC X(79) VALUE SPACES.
               10  CK-TEXT-END PIC X VALUE X'15'.
       01  CK-LENGTH PIC S9(4) COMP.
       01  CK-WAITS PIC S9(4) COMP.
       01  CK-HEX PIC X(16) VALUE '0123456789ABCDEF'.
       01  CK-HEXED PIC X(4).
       01  CK-TWO.
           05  CK-BINARY PIC 9(4) COMP VALUE ZERO.
       01  CK-BYTE PIC S9(4) COMP.
       01  CK-NIBBLE PIC S9(4) COMP.
