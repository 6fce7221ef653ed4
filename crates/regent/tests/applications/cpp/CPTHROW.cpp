// What no catch takes: an exception of the classes, another one, and one in a function that throws nothing.
#include "icceh.hpp"
#include "iccmain.hpp"

static int isPromise = 1;

static void break_it()
{
    throw isPromise;
}

static void promise() noexcept
{
    break_it();
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
