"""The asynchronous API credit card example."""

import time

from terminal import Failure

CLONE = "creditcard"


def screens(terminal):
    seconds = {}
    for transaction, program in [("SCCA", "SEQPNT"), ("ACCA", "ASYNCPNT")]:
        begun = time.monotonic()
        terminal.transaction(f"{transaction} 0001", program, "RESULT-SUCCESS")
        seconds[transaction] = time.monotonic() - begun
    # The children delay for as long as the calls do one after the other.
    if seconds["ACCA"] > 0.7 * seconds["SCCA"]:
        raise Failure(f"the children did not run beside each other: {seconds}")
