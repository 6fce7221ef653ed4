// Users: what a region without a security manager says.
#include "icceh.hpp"
#include "iccmain.hpp"

void IccUserControl::run()
{
    IccTerminal &term = *terminal();
    term.erase();
    IccUser user("ANNA", "STAFF");
    user.setLanguage("ENU");
    user.verifyPassword("SECRET");
    term << user.name() << " OF " << user.groupId().name() << " " << user.language() << " VERIFY " << user.conditionText() << " "
         << user.invalidPasswordAttempts() << endl;
    user.changePassword("SECRET", "PUBLIC");
    term << "CHANGE " << user.conditionText() << endl;
    term.signon(user, "SECRET");
    term << "SIGNON " << term.conditionText() << endl;
    term.signoff();
    term << "SIGNOFF " << term.conditionText() << endl << flush;
}
