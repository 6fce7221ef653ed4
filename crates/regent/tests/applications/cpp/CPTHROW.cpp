// What no catch takes: an exception of the classes, another one, and one in a function that throws nothing.
#include "icceh.hpp"
#include "iccmain.hpp"

static void promise() noexcept
{
    throw 1;
}

void IccUserControl::run()
{
    IccBuf input = terminal()->receive();
    const char *text = input;
    switch (text[input.dataLength() - 1]) {
    case 'E':
        IccFile("CPKEYED").readRecord();
    case 'O':
        throw 5;
    case 'N':
        promise();
    case 'H':
        setAbendHandler("CPEXIT");
        task()->abend("CPHD");
    }
}
