      * Writes the records that the steps GENCUST, GENACCT and GENTXN
      * of MainFrameJobs/alloc.txt make with IEBDG.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. WBDATA.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT CUSTOMERS ASSIGN TO CUSTOUT.
           SELECT ACCOUNTS ASSIGN TO ACCTOUT.
           SELECT TRANSACTIONS ASSIGN TO TXNOUT.
       DATA DIVISION.
       FILE SECTION.
       FD CUSTOMERS RECORDING MODE F.
       01 CUSTOMER.
          05 CUSTOMER-NAME        PIC X(30).
          05 CUSTOMER-SSN         PIC X(9).
          05 CUSTOMER-STREET      PIC X(20).
          05 CUSTOMER-CITY        PIC X(10).
          05 CUSTOMER-STATE       PIC X(4).
          05 CUSTOMER-ZIP         PIC 9(5).
          05 CUSTOMER-PHONE       PIC X(13).
          05 CUSTOMER-PIN         PIC X(4).
       FD ACCOUNTS RECORDING MODE F.
       01 CHECKING-ACCOUNT.
          05 CHECKING-SSN         PIC X(9).
          05 CHECKING-NUMBER      PIC X(10).
          05 CHECKING-TYPE        PIC X(11).
          05 CHECKING-CHARGE      PIC S9(3)V99 COMP-3.
          05 CHECKING-LIMIT       PIC S9(5)V99 COMP-3.
          05 CHECKING-LINK        PIC X(10).
          05 CHECKING-STATEMENT   PIC X(10).
          05 CHECKING-ITEMS       PIC S9(7) COMP-3.
          05 CHECKING-BALANCE     PIC S9(13)V99 COMP-3.
       01 SAVINGS-ACCOUNT.
          05 SAVINGS-SSN          PIC X(9).
          05 SAVINGS-NUMBER       PIC X(10).
          05 SAVINGS-TYPE         PIC X(11).
          05 SAVINGS-RATE         PIC S9V99 COMP-3.
          05 SAVINGS-CHARGE       PIC S9(3)V99 COMP-3.
          05 SAVINGS-STATEMENT    PIC X(10).
          05 SAVINGS-ITEMS        PIC S9(7) COMP-3.
          05 SAVINGS-BALANCE      PIC S9(13)V99 COMP-3.
          05 FILLER               PIC X(12).
       FD TRANSACTIONS RECORDING MODE F.
       01 ACCOUNT-TRANSACTION.
          05 TXN-SSN              PIC X(9).
          05 TXN-NUMBER           PIC X(10).
          05 TXN-ITEM             PIC S9(7) COMP-3.
          05 TXN-TYPE             PIC X.
          05 TXN-DATE             PIC X(10).
          05 TXN-AMOUNT           PIC S9(13)V99 COMP-3.
       PROCEDURE DIVISION.
           OPEN OUTPUT CUSTOMERS ACCOUNTS TRANSACTIONS
           MOVE 'Kim Akers'         TO CUSTOMER-NAME
           MOVE '111223333'         TO CUSTOMER-SSN
           MOVE '20500 NE 98th St.' TO CUSTOMER-STREET
           MOVE 'Redmond'           TO CUSTOMER-CITY
           MOVE 'Wa'                TO CUSTOMER-STATE
           MOVE 98052               TO CUSTOMER-ZIP
           MOVE '(425)881-3211'     TO CUSTOMER-PHONE
           MOVE '1111'              TO CUSTOMER-PIN
           WRITE CUSTOMER
           MOVE '111223333'         TO CHECKING-SSN
           MOVE 'CHK4566112'        TO CHECKING-NUMBER
           MOVE 'CChecking'         TO CHECKING-TYPE
           MOVE 25.00               TO CHECKING-CHARGE
           MOVE 2000.00             TO CHECKING-LIMIT
           MOVE 'SAV1234567'        TO CHECKING-LINK
           MOVE '10/31/2005'        TO CHECKING-STATEMENT
           MOVE 1                   TO CHECKING-ITEMS
           MOVE 41852.16            TO CHECKING-BALANCE
           WRITE CHECKING-ACCOUNT
           MOVE SPACES              TO SAVINGS-ACCOUNT
           MOVE '111223333'         TO SAVINGS-SSN
           MOVE 'SAV1234567'        TO SAVINGS-NUMBER
           MOVE 'SSavings'          TO SAVINGS-TYPE
           MOVE 4.50                TO SAVINGS-RATE
           MOVE 5.00                TO SAVINGS-CHARGE
           MOVE '10/15/2005'        TO SAVINGS-STATEMENT
           MOVE 1                   TO SAVINGS-ITEMS
           MOVE 146229.83           TO SAVINGS-BALANCE
           WRITE SAVINGS-ACCOUNT
           MOVE '111223333'         TO TXN-SSN
           MOVE 'CHK4566112'        TO TXN-NUMBER
           MOVE 1                   TO TXN-ITEM
           MOVE 'B'                 TO TXN-TYPE
           MOVE '10/31/2005'        TO TXN-DATE
           MOVE 41852.16            TO TXN-AMOUNT
           WRITE ACCOUNT-TRANSACTION
           MOVE 'SAV1234567'        TO TXN-NUMBER
           MOVE '10/15/2005'        TO TXN-DATE
           MOVE 146229.83           TO TXN-AMOUNT
           WRITE ACCOUNT-TRANSACTION
           CLOSE CUSTOMERS ACCOUNTS TRANSACTIONS
           GOBACK.
