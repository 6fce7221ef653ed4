"""Fetch variations of the asynchronous API: FETCH CHILD, with TIMEOUT, and FETCH ANY NOSUSPEND."""

import time

from terminal import Failure

CLONE = "asyncfetch"


def screens(terminal):
    # The first child takes two seconds, and the parent waits for it and then one second for the second, which takes five. By then the
    # fourth has ended, which takes one.
    begun = time.monotonic()
    terminal.transaction("PG1", "ASYNCPG1 SUB1(OK) SUB2(NO) SUB3(  ) SUB4(OK)")
    seconds = time.monotonic() - begun
    if not 2.9 < seconds < 4.5:
        raise Failure(f"the parent took {seconds:.1f} seconds, not three")
