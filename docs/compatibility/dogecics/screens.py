"""The Doge Bank, an application for KICKS: menu, list and details of transactions from a file, SPOOLWRITE."""

from terminal import Failure

CLONE = "dogecics"


def screens(terminal):
    terminal.transaction("DOGE", "DOGECICS", "PRESS F5 TO CONTINUE")
    # The balances are records of the file; their sum is the program's.
    terminal.pf(5, "1,234.50000000 DOGE", "10.25000000 DOGE", "1,224.25000000 DOGE", "09/22/2020 SUCH FUNDS +        13.50000000",
                "09/23/2020 WOW MONEY  -        22.50000000")
    screen = terminal.type("T").enter("1600086400 09/14/2020 RECV FROM  WOW MONEY  +          1.50000000", "1600604800", "PF8 NEXT")
    if "1600691200" in screen:
        raise Failure(f"more than seven lines\n{screen}")
    terminal.pf(8, "1600691200 09/21/2020 SENT TO    Kraken     -         18.00000000", "1600864000", "PF7 PREV")
    terminal.pf(7, "1600086400", "PF8 NEXT")
    terminal.type("D").enter("Option")
    terminal.field(1, "1600345600").enter("09/17/2020 12:26:40", "to : WOW MONEY", "DTestAddressNumber04", "debit :          9.00000000 DOGE")
    terminal.pf(8, "1600432000", "from : Kraken", "credit :          7.50000000 DOGE")
    terminal.pf(7, "1600345600", "debit :")
    terminal.field(1, "1234567890").enter("KEY 1234567890 DOES NOT EXIST.")
    terminal.field(0, "s").enter("Option")
    terminal.field(1, "DTestAddressNumber99xxxxxxxxxxxxxx").field(2, "00000012.50000000").enter("SENDING 00000012.50000000 DOGE")
    terminal.field(0, "w").enter("1,224.25000000 DOGE")
    # The program ends without unlocking the keyboard, as SEND TEXT without FREEKB does.
    terminal.command("PF(3)")
    terminal.expect("DOGE HAS EXITED. GOODBYE.")
