      *----------------------------------------------------------------
      * JOURNAL RECORD, 120 BYTES. ONE FOR EACH TRANSFER.
      * KEY: TIME IN MILLISECONDS AND TASK NUMBER
      *----------------------------------------------------------------
           05  :PFX:-TRANSFER-NO.
               10  :PFX:-ABSTIME           PIC 9(15).
               10  :PFX:-TASK-NO           PIC 9(07).
           05  :PFX:-FROM-ACCOUNT          PIC 9(10).
           05  :PFX:-TO-ACCOUNT            PIC 9(10).
           05  :PFX:-AMOUNT                PIC S9(11)V99 COMP-3.
           05  :PFX:-FROM-BALANCE          PIC S9(11)V99 COMP-3.
           05  :PFX:-TO-BALANCE            PIC S9(11)V99 COMP-3.
           05  :PFX:-TELLER                PIC X(08).
           05  :PFX:-REFERENCE             PIC X(20).
           05  :PFX:-AT                    PIC X(19).
           05  FILLER                      PIC X(10).
