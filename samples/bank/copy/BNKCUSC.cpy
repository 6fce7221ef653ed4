      *----------------------------------------------------------------
      * CUSTOMER RECORD, 300 BYTES. KEY: CUSTOMER NUMBER
      *----------------------------------------------------------------
           05  :PFX:-CUSTOMER-NO           PIC 9(08).
           05  :PFX:-NAME.
               10  :PFX:-FIRST-NAME        PIC X(20).
               10  :PFX:-LAST-NAME         PIC X(25).
           05  :PFX:-ADDRESS.
               10  :PFX:-STREET            PIC X(30).
               10  :PFX:-CITY              PIC X(25).
               10  :PFX:-POSTAL-CODE       PIC X(10).
           05  :PFX:-PHONE                 PIC X(16).
           05  :PFX:-BIRTH-DATE            PIC X(10).
           05  :PFX:-STATUS                PIC X(01).
               88  :PFX:-ACTIVE            VALUE 'A'.
               88  :PFX:-CLOSED            VALUE 'C'.
           05  :PFX:-SINCE-DATE            PIC X(10).
           05  :PFX:-ACCOUNTS              PIC S9(04) COMP.
           05  :PFX:-CHANGED-AT            PIC X(19).
           05  :PFX:-CHANGED-BY            PIC X(08).
           05  FILLER                      PIC X(116).
