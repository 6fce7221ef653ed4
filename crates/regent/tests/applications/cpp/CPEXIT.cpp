// The program of setAbendHandler.
#include "icceh.hpp"
#include "iccmain.hpp"

void IccUserControl::run()
{
    IccAbendData *data = task()->abendData();
    terminal()->erase();
    *terminal() << "HANDLED " << data->abendCode() << " " << data->originalAbendCode() << " IN " << data->programName() << endl << flush;
}
