// The terminal: lines, positions, colours, keys and input.
#include "icceh.hpp"
#include "iccmain.hpp"

void IccUserControl::run()
{
    IccTerminal &term = *terminal();
    term.erase();
    term.sendLine("First part of the line...");
    term.send("second line ");
    term.send("goes on");
    term.send(5, 10, "ROW 5 COLUMN 10");
    term.sendLine(40, "COLUMN 40 OF THE SAME LINE");
    term << IccTerminal::red << IccTerminal::underscore << "RED" << IccTerminal::defaultColor << IccTerminal::defaultHighlight << " PLAIN" << endl
         << "NUMBERS " << (short)-5 << " " << 70000L << " " << 'x' << endl << flush;
    IccTerminalData *data = term.data();
    term.setLine(12);
    term.send("SIZE %u %u DEFAULT %u %u COLOR %d EXTENDED %d NAME %s", term.height(), term.width(), data->defaultHeight(), data->defaultWidth(),
              data->isColor(), data->isExtended3270(), term.name());
    term.send(23, 1, "TYPE AND PRESS PF5");
    term.setCursor(24, 1);
    term.freeKeyboard();
    IccBuf typed = term.receive(IccTerminal::mixed);
    term.send(14, 1, "KEY %d AT %u LENGTH %lu", term.AID() == IccTerminal::PF5, term.inputCursor(), typed.dataLength());
    term.send(23, 1, "NOW PRESS PF12    ");
    term.waitForAID(IccTerminal::PF12);
    term.erase();
    term.send("END OF CPTERM");
}
