"""The CICS banking sample application (CBSA)."""

import re

CLONE = "cbsa"


def screens(terminal):
    menu = "CICS Banking Sample Application - Main Menu"
    terminal.transaction("OMEN", menu, "Display/Delete/Update CUSTOMER")
    terminal.type("1").enter("BNK1DC", "CUSTOMER")
    terminal.field(0, "0000000001").enter("Customer lookup successful", "987654")
    terminal.pf(3, menu)
    terminal.type("2").enter("BNK1DA")
    terminal.field(0, "00000001").enter("987654", "ISA", "0002.10")
    terminal.pf(3, menu)
    terminal.type("A").enter("BNK1ACC")
    terminal.field(0, "0000000001").enter("00000001", "00000002", "accounts found")
    terminal.pf(3, menu)
    terminal.type("4").enter("BNK1CA")
    for number, value in enumerate(["0000000001", "SAVING", "0002.50", "00000100"]):
        terminal.field(number, value)
    screen = terminal.enter("The Account has been successfully created")
    account = re.search(r"Account number\s+:\s+(\d{8})", screen).group(1)
    terminal.pf(3, menu)
    terminal.type("2").enter("BNK1DA")
    terminal.field(0, account).enter("SAVING", "0002.50", "00000100")
    terminal.pf(3, menu)
    terminal.type("7").enter("BNK1TF")
    for number, value in enumerate(["00000001", account, "0000000100.00"]):
        terminal.field(number, value)
    terminal.enter("Transfer successfully applied", "+0000000100.00")
    terminal.pf(3, menu)
    terminal.type("6").enter("BNK1CD", "Credit/Debit")
    for number, value in enumerate([account, "+", "50.25"]):
        terminal.field(number, value)
    terminal.enter("Amount successfully applied to the account", "+0000000150.25")
    for number, value in enumerate([account, "-", "20.00"]):
        terminal.field(number, value)
    terminal.enter("Amount successfully applied to the account", "+0000000130.25")
    terminal.field(0, "99999999").enter("Sorry but the ACCOUNT no was not found")
    terminal.pf(3, menu)
    terminal.type("2").enter("BNK1DA")
    terminal.field(0, account).enter("SAVING", "130.25")
    terminal.pf(3, menu)
    # Five credit agencies are asked by RUN TRANSID; after three seconds FETCH ANY takes what is there.
    terminal.type("3").enter("BNK1CC", "Create Customer")
    for number, value in enumerate(["Dr", "Ada", "A", "Lovelace", "1 Mill Lane", "Ockham", "Surrey", "10", "12", "1955"]):
        terminal.field(number, value)
    screen = terminal.enter("The Customer record has been successfully created", "987654")
    customer = re.search(r"Customer Number\s*:?\s*(\d{10})", screen)
    terminal.pf(3, menu)
    if customer:
        terminal.type("1").enter("BNK1DC")
        terminal.field(0, customer.group(1)).enter("Customer lookup successful", "Lovelace", "Ockham")
        terminal.pf(3, menu)
    terminal.type("5").enter("BNK1UA")
    terminal.field(0, account).enter("SAVING", "0002.50")
    terminal.field(2, "0003.25").field(3, "00000200").pf(5, "successfully")
    terminal.pf(3, menu)
    terminal.type("2").enter("BNK1DA")
    terminal.field(0, account).enter("0003.25", "00000200")
    terminal.pf(5, "successfully deleted")
    terminal.pf(3, menu)
    terminal.type("1").enter("BNK1DC")
    terminal.field(0, "0000000002").enter("Customer lookup successful")
    terminal.pf(10, "Amend data")
    terminal.field(0, "Dr Ada A Lovelace").enter("updated")
    terminal.pf(3, menu)
    terminal.type("1").enter("BNK1DC")
    terminal.field(0, "0000000003").enter("Customer lookup successful")
    terminal.pf(5, "successfully deleted")
    terminal.pf(3, menu)
