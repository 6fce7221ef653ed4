"""The fetch child example: a parent and a child in C, with numbers in containers."""

CLONE = "fetchchild"


def screens(terminal):
    terminal.transaction("ASPA ASCH 9")
    for text in ["ASPARENT: sending 9", "ASCHILD:  incremented number", "ASPARENT: received 10"]:
        terminal.expect_message(text)
