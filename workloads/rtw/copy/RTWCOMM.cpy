      * What presentation and business logic pass each other.
           05  RC-CUSTOMER                 PIC S9(9) COMP.
           05  RC-ITEM                     PIC S9(9) COMP.
           05  RC-ORDER                    PIC S9(9) COMP.
           05  RC-TABLES                   PIC S9(4) COMP.
           05  RC-NAME                     PIC X(30).
           05  RC-TOTAL                    PIC S9(11)V99 COMP-3.
      * SQL calls of the transaction, all and by kind.
           05  RC-CALLS                    PIC S9(9) COMP.
           05  RC-SELECTS                  PIC S9(9) COMP.
           05  RC-OPENS                    PIC S9(9) COMP.
           05  RC-FETCHES                  PIC S9(9) COMP.
           05  RC-CHANGES                  PIC S9(9) COMP.
           05  RC-SQLCODE                  PIC S9(9) COMP.
           05  RC-FAILED-AT                PIC X(18).
