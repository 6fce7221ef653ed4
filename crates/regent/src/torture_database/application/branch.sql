-- The entries of the transfers at the other location.
CREATE TABLE XFER.LEDGER
      (TRANSFER INTEGER        NOT NULL,
       AMOUNT   DECIMAL(11, 2) NOT NULL,
       PRIMARY KEY (TRANSFER));
