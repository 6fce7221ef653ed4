// LINK to COBOL with a communication area whose numbers are COBOL's.
#include "icceh.hpp"
#include "iccmain.hpp"
#include "CPAREA.hpp"

void IccUserControl::run()
{
    area shared = {};
    IccBuf buffer(sizeof shared, &shared);
    buffer.replace(4, "CPP ");
    shared.number = 70000;
    shared.small = -3;
    shared.rows[0] = 1;
    shared.rows[1] = 2;
    IccProgram cobol("CPCOBOL");
    cobol.link(&buffer);
    terminal()->erase();
    *terminal() << "COBOL " << cobol.conditionText() << " " << (int)shared.number << " " << (short)shared.small << " " << (int)shared.rows[1] << " "
                << IccBuf(4, shared.name) << endl;
    IccProgram nowhere("NOWHERE");
    nowhere.setActionOnAnyCondition(IccResource::noAction);
    nowhere.link();
    *terminal() << "NOWHERE " << nowhere.conditionText() << " " << nowhere.condition(IccResource::minorCode) << endl;
    IccProgram module("CPCOBOL");
    module.load();
    *terminal() << "LOADED " << (module.length() > 0 && module.address() != 0) << " ";
    module.unload();
    *terminal() << module.conditionText() << endl << flush;
}
