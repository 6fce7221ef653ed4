"""The general insurance application GenApp."""

import re

CLONE = "genapp"


def screens(terminal):
    customers(terminal)
    for menu in (MOTOR, ENDOWMENT, HOUSE):
        policy_menu(terminal, *menu)
    commercial(terminal)
    # The set-up defines the named counters, and the monitor keeps in queues what it finds in them.
    terminal.transaction("LGSE", "HIGH CUSTOMER=0000000011")
    terminal.transaction("SSST")
    terminal.transaction("CEBR GENAX05V", "000000011")


def customers(terminal):
    option = 10
    terminal.transaction("SSC1", "General Insurance Customer Menu", "1. Cust Inquiry")
    terminal.field(0, "0000000001").field(option, "1").enter("Andrew", "Pandy", "1950-07-11", "PI101OO")
    terminal.field(0, "0000000099").field(option, "1").enter("No data was returned.")
    terminal.pf(3, "Transaction ended")
    terminal.transaction("SSC1", "General Insurance Customer Menu")
    values = ["ADA", "LOVELACE", "1815-12-10", "OCKHAM PARK", "1", "GU23 6NQ", "0200 1", "0700 2", "ADA@EXAMPLE.COM"]
    for number, value in enumerate(values, 1):
        terminal.field(number, value)
    screen = terminal.field(option, "2").enter("New Customer Inserted")
    customer = re.search(r"Cust Number\s+(\d{10})", screen).group(1)
    terminal.pf(3, "Transaction ended")
    terminal.transaction("SSC1", "General Insurance Customer Menu")
    terminal.field(0, customer).field(option, "4").enter("LOVELACE", "OCKHAM PARK")
    terminal.field(2, "BYRON").field(option, "4").enter("Customer details updated")
    terminal.pf(3, "Transaction ended")
    terminal.transaction("SSC1", "General Insurance Customer Menu")
    terminal.field(0, customer).field(option, "1").enter("BYRON", "1815-12-10", "ADA@EXAMPLE.COM")
    terminal.pf(3, "Transaction ended")


# Transaction, title, number of the option's field, a policy and its customer with texts of it, the fields of a new policy from the
# third on, the field that is changed with its new value, the word of the messages.
MOTOR = (
    "SSP1", "Motor Policy Menu", 13, ("1", "2", "FORD", "KA", "LL60LOO"),
    ["2026-01-01", "2027-01-01", "LOTUS", "ELAN", "005000", "ABC123D", "GREEN", "01600", "1968-03-04", "000000", "000300"], (8, "BLUE"), "Motor")
ENDOWMENT = (
    "SSP2", "Endowment Policy Menu", 11, ("4", "8", "LION", "J. MORRIS"),
    ["2026-01-01", "2046-01-01", "TIGER", "20", "050000", "A. LOVELACE", "Y", "N", "N"], (4, "PANTHER"), "Life")
HOUSE = (
    "SSP3", "House Policy Menu", 10, ("6", "4", "HOUSE", "SO211UP"),
    ["2026-01-01", "2027-01-01", "COTTAGE", "003", "00250000", "ROSE COTTAGE", "7", "SO211JN"], (4, "CASTLE"), "House")


def policy_menu(terminal, identifier, title, option, there, values, change, word):
    terminal.transaction(identifier, title)
    policy, customer, *texts = there
    terminal.field(0, policy.zfill(10)).field(1, customer.zfill(10)).field(option, "1").enter(*texts)
    terminal.pf(3, "Transaction ended")
    terminal.transaction(identifier, title)
    terminal.field(1, customer.zfill(10))
    for number, value in enumerate(values, 2):
        terminal.field(number, value)
    screen = terminal.field(option, "2").enter(f"New {word} Policy Inserted")
    policy = re.search(r"Policy Number\s+(\d{10})", screen).group(1)
    terminal.pf(3, "Transaction ended")

    def again(choice, *texts):
        terminal.transaction(identifier, title)
        return terminal.field(0, policy).field(1, customer.zfill(10)).field(option, choice).enter(*texts)

    again("1", values[2], values[-1].lstrip("0") if values[-1].isdigit() else values[-1])
    terminal.pf(3, "Transaction ended")
    again("4", values[2])
    number, value = change
    terminal.field(number, value).field(option, "4").enter(f"{word} Policy Updated")
    terminal.pf(3, "Transaction ended")
    again("1", value)
    terminal.pf(3, "Transaction ended")
    again("3", f"{word} Policy Deleted")
    terminal.pf(3, "Transaction ended")
    again("1", "No data was returned.")
    terminal.pf(3, "Transaction ended")


def commercial(terminal):
    option, title = 20, "Commercial Policy Menu"
    terminal.transaction("SSP4", title)
    terminal.field(0, "0000000009").field(option, "1").enter("0000000005", "BB104BX")
    terminal.pf(3, "Transaction ended")
    terminal.transaction("SSP4", title)
    values = ["0000000006", "2026-01-01", "2027-01-01", "1 HIGH STREET", "SO211JN", "51.0", "1.3", "ANALYTICAL ENGINES", "OFFICE",
              "0001", "00000100", "0002", "00000200", "0003", "00000300", "0004", "00000400", "0000", "NONE"]
    for number, value in enumerate(values, 1):
        terminal.field(number, value)
    screen = terminal.field(option, "2").enter("New Commercial Policy Inserted")
    policy = re.search(r"Policy Number\s+(\d{10})", screen).group(1)
    terminal.pf(3, "Transaction ended")
    for choice, texts in [("1", ["ANALYTICAL ENGINES", "1 HIGH STREET"]), ("3", ["Commercial Policy Deleted"]), ("1", ["No data was returned."])]:
        terminal.transaction("SSP4", title)
        terminal.field(0, policy).field(1, values[0]).field(option, choice).enter(*texts)
        terminal.pf(3, "Transaction ended")
