"""Web banking: the services for a customer's home page run as children, with and without a time limit for the last."""

CLONE = "webbanking"


def screens(terminal):
    terminal.transaction("WEBH 0001", "WEBHOME  ACC#0001 STATUS( COMPLETE )")
    for text in ["Welcome Pradeep Gohil", "Acc: 25875343 Bal: $45742.00 Overdraft: $1000.00", "Acc: 62837456 Bal: $234.56   Overdraft: $0.00",
                 "Timeout not set for loan rate quote.", "Personalised Loan Rate: 1.25 %"]:
        terminal.expect_message(text)
    # The parent reads the limit for the loan quote, which takes four or seven seconds, from a queue.
    terminal.transaction("CECI WRITEQ TS QUEUE(LTIMEOUT) FROM(1500)", "ABOUT TO EXECUTE COMMAND")
    terminal.enter("COMMAND EXECUTION COMPLETE")
    terminal.pf(3)
    terminal.transaction("WEBH 0002", "WEBHOME  ACC#0002 STATUS( COMPLETE )")
    for text in ["Welcome Chris Poole", "Acc: 20170516 Bal: $10.76    Overdraft: $0.00", "Timeout of 1500 milliseconds to get loan rate quote.",
                 "Abandoned loan quote because it took too long!"]:
        terminal.expect_message(text)
