"""Woodgrove Bank: customers, accounts and their transactions, with conversational programs and lists in pages."""

import re

from terminal import Failure

CLONE = "azlegacy"


def screens(terminal):
    # The customer and the accounts of the set-up.
    terminal.transaction("WBGB", "Woodgrove Bank Get Account Balance")
    terminal.field(0, "Kim Akers").field(1, "CHK4566112").enter("41,852.16")
    terminal.field(0, "Kim Nobody").field(1, "CHK4566112").enter("Customer name not found")
    terminal.field(0, "Kim Akers").field(1, "CHK0000000").enter("Name / account could not be found")
    # Each program transfers control to the others.
    terminal.pf(8, "Woodgrove Bank Add Customer")
    customer(terminal, "Ada Lovelace", "111223333", "0815", "0815", "Duplicate SSN found")
    customer(terminal, "Ada Lovelace", "444556666", "0815", "0816", "Pin and Confirm Pin do not match")
    customer(terminal, "Ada Lovelace", "444556666", "0815", "0815", "Customer successfully added", "Ada Lovelace")
    terminal.pf(9, "Woodgrove Bank Add Account")
    terminal.field(0, "Ada Lovelace").field(1, "x").enter('Account type must be "C" or "S"')
    terminal.field(0, "Ada Lovelace").field(1, "s").enter("Woodgrove Bank Add Savings Account", "444556666")
    for number, value in enumerate(["3", "5", "1000"]):
        terminal.field(number, value)
    screen = terminal.enter("Account successfully added", "Savings", "Ada Lovelace")
    savings = re.search(r"Savings (\d{10})", screen).group(1)
    terminal.field(0, "Ada Lovelace").field(1, "c").enter("Woodgrove Bank Add Checking Account")
    for number, value in enumerate(["25", "500", savings, "750"]):
        terminal.field(number, value)
    screen = terminal.enter("Account successfully added", "Checking", "Ada Lovelace")
    checking = re.search(r"Checking (\d{10})", screen).group(1)
    terminal.pf(4, "Woodgrove Bank Get Account Balance")
    terminal.field(0, "Ada Lovelace").field(1, checking).enter("750.00")
    terminal.field(0, "Ada Lovelace").field(1, savings).enter("1,000.00")
    terminal.pf(5, "Woodgrove Bank Account List")
    terminal.field(0, "Ada Lovelace").enter("Press <Enter> and follow with paging commands.")
    screen = terminal.enter("Page: 001", "End of Report")
    row(screen, savings, "Savings", "0.00", "0.00", "5.00", "3.00")
    row(screen, checking, "Checking", "25.00", "500.00", savings, "0.00", "0.00")
    # The last line of the list has the transaction in a dark field, so that ENTER begins it again.
    terminal.enter("Woodgrove Bank Account List", "Name:")
    terminal.field(0, "Kim Akers").enter("Press <Enter>")
    screen = terminal.enter("End of Report")
    row(screen, "CHK4566112", "Checking", "25.00", "2,000.00", "SAV1234567", "0.00", "0.00", "10/31/2005")
    row(screen, "SAV1234567", "Savings", "0.00", "0.00", "5.00", "4.50", "10/15/2005")
    terminal.transaction("WBGD", "Woodgrove Bank Account Detail")
    terminal.field(0, "Kim Akers").enter("Press <Enter>")
    screen = terminal.enter("Page: 001", "End of Report")
    row(screen, "CHK4566112", "Checking", "1", "Init Bal", "10/31/2005", "+", "41,852.16")
    row(screen, "SAV1234567", "Savings", "1", "Init Bal", "10/15/2005", "+", "146,229.83")
    pages(terminal)
    update(terminal)


def pages(terminal):
    """A list of more than a page: 19 lines between header and trailer."""
    terminal.transaction("WBAC", "Woodgrove Bank Add Customer")
    for number in range(1, 21):
        customer(terminal, f"Customer {number:02}", f"9000000{number:02}", "0815", "0815", "Customer successfully added", f"Customer {number:02}")
    terminal.pf(6, "Woodgrove Bank Customer List")
    terminal.enter("Press <Enter>")
    screen = terminal.enter("Page: 001", "Press Clear and type P/N to see page N")
    row(screen, "Ada Lovelace", "444556666")
    row(screen, "Customer 18", "900000018")
    absent(screen, "Customer 19")
    screen = terminal.transaction("P/2", "Page: 002", "End of Report")
    row(screen, "Customer 19", "900000019")
    row(screen, "Kim Akers", "111223333")
    absent(screen, "Customer 18")
    terminal.transaction("P/1", "Page: 001", "Customer 01")


def update(terminal):
    terminal.transaction("WBCL", "Woodgrove Bank Customer List", "Locate name:")
    terminal.field(0, "Customer 20").enter("Customer 20", "Kim Akers")
    terminal.field(2, "x").enter("Woodgrove Bank Customer Information", "Kim Akers", "20500 NE 98th St.", "(425)881-3211")
    terminal.field(1, "Seattle").enter("Customer successfully updated")
    terminal.enter("Woodgrove Bank Customer List", "Locate name:")
    terminal.field(0, "Kim").enter("Kim Akers")
    terminal.field(1, "x").enter("Woodgrove Bank Customer Information", "Kim Akers", "Seattle")
    terminal.pf(3)


def row(screen, *words):
    """One line has all words, in their order."""
    expected = re.compile(r"\s+".join(re.escape(word) for word in words))
    if not any(expected.search(line) for line in screen.splitlines()):
        raise Failure(f"no line with {words}\n{screen}")


def absent(screen, text):
    if text in screen:
        raise Failure(f"{text!r} is on the screen\n{screen}")


def customer(terminal, name, number, pin, confirmed, *texts):
    values = [name, number, "12 St James's Square", "London", "UK", "12345", "(020)123-4567", pin, confirmed]
    for field, value in enumerate(values):
        terminal.field(field, value)
    terminal.enter(*texts)
