"""AWS CardDemo: the optional part for Db2, the maintenance of transaction types."""

from terminal import Failure

CLONE = "carddemo"
LIST, MAINTAIN = "Maintain Transaction Type", "Transaction Type  :"


def screens(terminal):
    terminal.transaction("CC00", "Credit Card Demo Application", "User ID", "Password")
    terminal.field(0, "ADMIN001").field(1, "PASSWORD").enter("Admin Menu", "05.", "06.")
    terminal.type("06").enter(LIST, MAINTAIN, "Enter transaction type to be maintained")
    for number, description in [("08", "GIFT CARD"), ("09", "LOYALTY POINTS")]:
        add(terminal, number, description)
    # Update of what has just been added.
    terminal.field(0, "08").enter("GIFT CARD", "F4=Delete", "F12=Cancel")
    terminal.field(1, "GIFT CARD BOUGHT").enter("Changes validated.Press F5 to save")
    terminal.pf(5, "Changes committed to database")
    terminal.pf(3, "Admin Menu")
    listed(terminal)
    terminal.pf(3, "Admin Menu")


def add(terminal, number, description):
    terminal.field(0, number).enter("No record found for this key in database", "Press F05 to add. F12 to cancel")
    terminal.pf(5, "Enter new transaction type details.")
    terminal.field(1, description).enter("Changes validated.Press F5 to save")
    terminal.pf(5, "Changes committed to database")
    terminal.enter("Enter transaction type to be maintained")


def listed(terminal):
    screen = terminal.type("05").enter(LIST, "Page  1", "01      PURCHASE", "07      ADJUSTMENT", "Type U to update, D to delete any record")
    if "GIFT CARD" in screen:
        raise Failure(f"more than seven rows\n{screen}")
    terminal.pf(8, "Page  2", "08      GIFT CARD BOUGHT", "09      LOYALTY POINTS")
    terminal.pf(7, "Page  1", "01      PURCHASE")
    # The filters are host variables of the cursors, and of a COUNT(1).
    terminal.field(1, "%OYAL%").enter("09      LOYALTY POINTS")
    terminal.field(1, "nothing").enter("No Records found for these filter conditions")
