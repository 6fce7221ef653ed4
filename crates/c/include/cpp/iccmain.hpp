#ifndef ICCMAIN
#define ICCMAIN
/* The main function of a program that uses the foundation classes. */
#include "icceh.hpp"
#ifndef ICC_CLASS_MEMORY_MGMT
#define ICC_CLASS_MEMORY_MGMT Icc::cmmDefault
#endif
#ifndef ICC_FAMILY_SUBSET
#define ICC_FAMILY_SUBSET Icc::fsDefault
#endif
#ifndef ICC_EDF_BOOL
#define ICC_EDF_BOOL Icc::no
#endif
#ifndef ICC_USER_CONTROL
#define ICC_USER_CONTROL IccUserControl
class IccUserControl : public IccControl {
public:
    virtual void run();
};
#endif
int main() {
    Icc::initializeEnvironment(ICC_CLASS_MEMORY_MGMT, ICC_FAMILY_SUBSET, ICC_EDF_BOOL);
    try {
        ICC_USER_CONTROL control;
        control.run();
    } catch (IccException &exception) {
        Icc::catchException(exception);
    } catch (...) {
        Icc::unknownException();
    }
    Icc::returnToCICS();
}
#endif
