      *----------------------------------------------------------------
      * ACCOUNT RECORD, 150 BYTES. KEY: ACCOUNT NUMBER.
      * ALTERNATE KEY: CUSTOMER NUMBER, OFFSET 10
      *----------------------------------------------------------------
           05  :PFX:-ACCOUNT-NO            PIC 9(10).
           05  :PFX:-CUSTOMER-NO           PIC 9(08).
           05  :PFX:-TYPE                  PIC X(03).
               88  :PFX:-CHECKING          VALUE 'CHK'.
               88  :PFX:-SAVINGS           VALUE 'SAV'.
               88  :PFX:-LOAN              VALUE 'LON'.
               88  :PFX:-TYPE-VALID        VALUE 'CHK' 'SAV' 'LON'.
           05  :PFX:-STATUS                PIC X(01).
               88  :PFX:-OPEN              VALUE 'O'.
               88  :PFX:-HELD              VALUE 'H'.
               88  :PFX:-CLOSED            VALUE 'C'.
               88  :PFX:-STATUS-VALID      VALUE 'O' 'H' 'C'.
           05  :PFX:-BALANCE               PIC S9(11)V99 COMP-3.
           05  :PFX:-OVERDRAFT-LIMIT       PIC S9(09)V99 COMP-3.
           05  :PFX:-INTEREST-RATE         PIC S9(03)V9(04) COMP-3.
           05  :PFX:-OPENED-DATE           PIC X(10).
           05  :PFX:-LAST-TRANSFER-AT      PIC X(19).
           05  :PFX:-LAST-TRANSFER-NO      PIC X(22).
           05  :PFX:-VERSION               PIC S9(08) COMP.
           05  FILLER                      PIC X(56).
