"""AWS CardDemo: the base application."""

CLONE = "carddemo"


def screens(terminal):
    terminal.transaction("CC00", "Credit Card Demo Application", "User ID", "Password")
    terminal.field(0, "USER0001").field(1, "WRONG").enter("Wrong Password")
    terminal.field(0, "USER0001").field(1, "PASSWORD").enter("Main Menu", "01. Account View", "10. Bill Payment")
    terminal.type("01").enter("View Account", "Account Number")
    terminal.field(0, "00000000001").enter("Immanuel", "Kessler", "194.00", "020-97-3888")
    terminal.pf(3, "Main Menu")
    terminal.type("02").enter("Update Account", "Account Number")
    terminal.field(0, "00000000001").enter("Immanuel", "Altenwerthshire", "Update account details")
    terminal.pf(3, "Main Menu")
    terminal.type("03").enter("List Credit Cards", "Card Number", "Page  1")
    terminal.pf(8, "Page  2")
    terminal.pf(7, "Page  1")
    terminal.pf(3, "Main Menu")
    terminal.type("04").enter("View Credit Card Detail")
    terminal.field(0, "00000000050").field(1, "0500024453765740").enter("Aniya Von", "Displaying requested details")
    terminal.pf(3, "Main Menu")
    terminal.type("06").enter("List Transactions", "Page:")
    terminal.pf(3, "Main Menu")
    terminal.type("08").enter("Add Transaction", "Enter Acct")
    values = ["00000000001", "", "01", "0001", "POS TERM", "COMPATIBILITY TEST", "-00000012.34", "2026-11-20", "2026-11-21",
              "123456789", "CORNER SHOP", "SPRINGFIELD", "12345"]
    for number, value in enumerate(values):
        if value:
            terminal.field(number, value)
    terminal.enter("Confirm to add this transaction")
    terminal.field(len(values), "Y").enter("Transaction added successfully", "0000000000000001")
    terminal.pf(3, "Main Menu")
    terminal.type("07").enter("View Transaction")
    terminal.field(0, "0000000000000001").enter("COMPATIBILITY TEST", "-00000012.34", "CORNER SHOP")
    terminal.pf(3, "Main Menu")
    terminal.type("10").enter("Bill Payment", "Enter Acct ID")
    terminal.field(0, "00000000001").enter("Your current balance is", "194.00", "Confirm to make a bill payment")
    terminal.field(1, "Y").enter("Payment successful", "Transaction ID is 0000000000000002")
    terminal.pf(3, "Main Menu")
    terminal.type("06").enter("List Transactions", "COMPATIBILITY TEST", "BILL PAYMENT", "+00000194.00")
    terminal.pf(3, "Main Menu")
    terminal.pf(3, "Credit Card Demo Application")
    terminal.field(0, "ADMIN001").field(1, "PASSWORD").enter("Admin Menu", "User List")
    terminal.type("01").enter("List Users", "ADMIN001", "USER0005")
    terminal.pf(3, "Admin Menu")
    terminal.type("02").enter("Add User")
    for number, value in enumerate(["ADA", "LOVELACE", "USER0009", "ENGINE01", "U"]):
        terminal.field(number, value)
    terminal.enter("User USER0009 has been added")
    terminal.pf(3, "Admin Menu")
