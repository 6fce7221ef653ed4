"""A 3270 terminal for the scripts `screens.py`: s3270 with waits for what a screen must show."""

import subprocess
import time

SCREEN_SECONDS_MAX = 30


class Failure(Exception):
    """A screen did not show what it should."""


class Terminal:
    """One s3270 session; every step waits for the screen it expects."""

    def __init__(self, port, show, messages):
        self.process = subprocess.Popen(
            ["s3270", "-model", "3279-2-E", "-clear", "aidWait", f"localhost:{port}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.show = show
        # The lines that the region has written, which grow.
        self.messages = messages
        self.checks = 0
        self.command("Wait(10,InputField)")

    def command(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line in ("ok", "error"):
                return lines
            if line.startswith("data: "):
                lines.append(line[6:])
        raise Failure("s3270 ended")

    def screen(self):
        return "\n".join(self.command("Ascii()"))

    def expect(self, *texts):
        """Waits until every text is on the screen."""
        end = time.monotonic() + SCREEN_SECONDS_MAX
        while True:
            screen = self.screen()
            missing = [text for text in texts if text not in screen]
            if not missing:
                self.checks += 1
                if self.show:
                    print(screen, "\n" + "-" * 80)
                return screen
            if time.monotonic() > end:
                raise Failure(f"not on the screen: {missing}\n{screen}")
            time.sleep(0.1)

    def type(self, text):
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        self.command(f'String("{quoted}")')
        return self

    def field(self, number, text):
        """Fills the field that is `number` tabs after the first."""
        self.command("Home()")
        for _ in range(number):
            self.command("Tab()")
        self.command("EraseEOF()")
        return self.type(text)

    def enter(self, *texts):
        return self.key("Enter()", *texts)

    def pf(self, number, *texts):
        return self.key(f"PF({number})", *texts)

    def key(self, key, *texts):
        self.command(key)
        self.command(f"Wait({SCREEN_SECONDS_MAX},Unlock)")
        return self.expect(*texts)

    def transaction(self, identifier, *texts):
        """Clears the screen and starts a transaction."""
        self.command("Clear()")
        self.command(f"Wait({SCREEN_SECONDS_MAX},Unlock)")
        self.type(identifier)
        return self.enter(*texts)

    def expect_message(self, text):
        """Waits until the region has written a line with the text."""
        end = time.monotonic() + SCREEN_SECONDS_MAX
        while not any(text in line for line in list(self.messages)):
            if time.monotonic() > end:
                raise Failure(f"the region did not write: {text}")
            time.sleep(0.1)
        self.checks += 1

    def close(self):
        self.process.kill()
        self.process.wait()
