"""The cash account of the Stock Trader: a program with a COMMAREA, Db2 and a file, called by CECI."""

CLONE = "cashaccount"


def screens(terminal):
    # Name, balance, currency and SQLCODE are as the program leaves them in the communication area.
    call(terminal, "A", "000012345", "USD", "000012345USD     000000000")
    call(terminal, "Q", "", "", "000012345USD     000000000")
    # The program answers an update with the currency that was there before.
    call(terminal, "U", "000067890", "EUR", "000067890USD     000000000")
    call(terminal, "Q", "", "", "000067890EUR     000000000")
    call(terminal, "X", "", "", "000067890EUR     000000000")
    call(terminal, "Q", "000000000", "", "000000100")
    # Each call has written a record to the file.
    terminal.transaction("CECI READ FILE(HISTORY) RIDFLD('ADA') GTEQ", "ABOUT TO EXECUTE COMMAND")
    terminal.enter("COMMAND EXECUTION COMPLETE", "ADA")
    terminal.pf(3)


def call(terminal, request, balance, currency, result):
    area = f"{request}{'ADA':15}{balance or '000000000'}{currency:8}{'':10}"
    terminal.transaction(f"CECI LINK PROGRAM(CASH00) COMMAREA('{area}')", "ABOUT TO EXECUTE COMMAND")
    terminal.enter("COMMAND EXECUTION COMPLETE", result)
    terminal.pf(3)
