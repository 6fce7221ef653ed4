// The next transaction of the terminal, with its communication area.
#include "icceh.hpp"
#include "iccmain.hpp"

void IccUserControl::run()
{
    if (commArea().dataLength() > 0) {
        terminal()->erase();
        *terminal() << "NEXT " << task()->transId().name() << " HAS " << commArea() << endl << flush;
        return;
    }
    terminal()->erase();
    terminal()->send("PRESS ENTER");
    terminal()->setNextTransId("CP1N");
    terminal()->setNextCommArea("what it left");
    terminal()->freeKeyboard();
}
