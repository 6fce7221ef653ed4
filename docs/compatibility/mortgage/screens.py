"""MortgageApplication of IBM dbb-zappbuild."""

from terminal import Failure

CLONE = "zappbuild"


def screens(terminal):
    # Payments by the formula of an annuity, computed apart: 100000 at 6 percent for 30 years, and at 4.5 and 5 percent at two companies. The
    # others of the file do not lend so much, or are dearer.
    terminal.transaction("EPSP", "EPS MORTGAGE CALCULATOR", "Amount of Loan:")
    terminal.field(0, "100000.00").field(1, "30").field(2, "06.00").enter("599.55")
    screen = terminal.pf(9, "Better Mortgage Rates", "FIRST MUTUAL", "506.69", "HARBOR SAVINGS", "790.79")
    if "LAKESIDE" in screen or "SMALL LOANS" in screen:
        raise Failure(f"a company that does not match is shown\n{screen}")
    terminal.pf(3, "EPS MORTGAGE CALCULATOR")
    terminal.field(0, "250000.00").field(1, "20").field(2, "03.87").enter("1,497.88")
    # The message about the principle is in a dark field of the map.
    terminal.field(0, "0").enter("Monthly Payment:                   0.00")
    terminal.pf(3, "END OF TRANSACTION - THANK YOU")
