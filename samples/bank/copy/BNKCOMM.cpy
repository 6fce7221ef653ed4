      *----------------------------------------------------------------
      * COMMAREA OF THE BANK'S TRANSACTIONS
      *----------------------------------------------------------------
       01  BNK-COMMAREA.
           05  CA-EYECATCHER               PIC X(04) VALUE 'BNK1'.
           05  CA-TELLER-ID                PIC X(08) VALUE SPACES.
           05  CA-TELLER-NAME              PIC X(20) VALUE SPACES.
           05  CA-STATE                    PIC X(01) VALUE 'N'.
               88  CA-NEW                  VALUE 'N'.
               88  CA-WAITING              VALUE 'W'.
               88  CA-SHOWN                VALUE 'S'.
           05  CA-MODE                     PIC X(01) VALUE 'I'.
               88  CA-INQUIRY              VALUE 'I'.
               88  CA-MAINTAIN             VALUE 'M'.
               88  CA-BY-CUSTOMER          VALUE 'C'.
           05  CA-CUSTOMER-NO              PIC 9(08) VALUE ZERO.
           05  CA-ACCOUNT-NO               PIC 9(10) VALUE ZERO.
           05  CA-FIRST-KEY                PIC 9(10) VALUE ZERO.
           05  CA-LAST-KEY                 PIC 9(10) VALUE ZERO.
           05  CA-MESSAGE                  PIC X(78) VALUE SPACES.
           05  CA-BEFORE-IMAGE             PIC X(300) VALUE SPACES.
