#ifndef ICCTMDEH
#define ICCTMDEH
#include "iccreseh.hpp"
class IccTerminal;
class IccTerminalData : public IccResource {
public:
    unsigned short alternateHeight(Icc::GetOpt opt = Icc::object);
    unsigned short alternateWidth(Icc::GetOpt opt = Icc::object);
    unsigned short defaultHeight(Icc::GetOpt opt = Icc::object);
    unsigned short defaultWidth(Icc::GetOpt opt = Icc::object);
    unsigned short graphicCharCodeSet(Icc::GetOpt opt = Icc::object);
    unsigned short graphicCharSetId(Icc::GetOpt opt = Icc::object);
    Icc::Bool isAPLKeyboard(Icc::GetOpt opt = Icc::object);
    Icc::Bool isAPLText(Icc::GetOpt opt = Icc::object);
    Icc::Bool isBTrans(Icc::GetOpt opt = Icc::object);
    Icc::Bool isColor(Icc::GetOpt opt = Icc::object);
    Icc::Bool isEWA(Icc::GetOpt opt = Icc::object);
    Icc::Bool isExtended3270(Icc::GetOpt opt = Icc::object);
    Icc::Bool isFieldOutline(Icc::GetOpt opt = Icc::object);
    Icc::Bool isGoodMorning(Icc::GetOpt opt = Icc::object);
    Icc::Bool isHighlight(Icc::GetOpt opt = Icc::object);
    Icc::Bool isKatakana(Icc::GetOpt opt = Icc::object);
    Icc::Bool isMSRControl(Icc::GetOpt opt = Icc::object);
    Icc::Bool isPS(Icc::GetOpt opt = Icc::object);
    Icc::Bool isSOSI(Icc::GetOpt opt = Icc::object);
    Icc::Bool isTextKeyboard(Icc::GetOpt opt = Icc::object);
    Icc::Bool isTextPrint(Icc::GetOpt opt = Icc::object);
    Icc::Bool isValidation(Icc::GetOpt opt = Icc::object);
private:
    friend class IccTerminal;
    IccTerminalData() : IccResource(cTerminalData), known(0) {}
    enum { COUNT = 22 };
    unsigned known;
    unsigned short values[COUNT];
    unsigned short number(unsigned at, int option, Icc::GetOpt opt, const char *method);
    Icc::Bool flag(unsigned at, int option, Icc::GetOpt opt, const char *method);
};
#endif
