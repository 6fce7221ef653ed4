      * The request of an application to the ledger.
       01  LEDGER-ENTRY.
           05  LEDGER-ACCOUNT      PIC X(8).
           05  LEDGER-AMOUNT       PIC S9(8) COMP.
           05  LEDGER-BALANCE      PIC S9(8) COMP.
