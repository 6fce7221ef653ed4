#ifndef ICCABDEH
#define ICCABDEH
#include "iccreseh.hpp"
class IccAbendData : public IccResource {
public:
    static IccAbendData *instance();
    const char *abendCode(Icc::GetOpt opt = Icc::object);
    const char *ASRAInterrupt(Icc::GetOpt opt = Icc::object);
    IccValue::CVDA ASRAKeyType(Icc::GetOpt opt = Icc::object);
    const char *ASRAPSW(Icc::GetOpt opt = Icc::object);
    const char *ASRARegisters(Icc::GetOpt opt = Icc::object);
    IccValue::CVDA ASRASpaceType(Icc::GetOpt opt = Icc::object);
    IccValue::CVDA ASRAStorageType(Icc::GetOpt opt = Icc::object);
    Icc::Bool isDumpAvailable(Icc::GetOpt opt = Icc::object);
    const char *originalAbendCode(Icc::GetOpt opt = Icc::object);
    const char *programName(Icc::GetOpt opt = Icc::object);
private:
    IccAbendData() : IccResource(cAbendData) {}
    enum { CODE_LENGTH = 4, INTERRUPT_LENGTH = 8, PSW_LENGTH = 8, REGISTERS_LENGTH = 64, NAME_LENGTH = 8 };
    char code[CODE_LENGTH + 1], original[CODE_LENGTH + 1], interrupt[INTERRUPT_LENGTH + 1], psw[PSW_LENGTH + 1];
    char registers[REGISTERS_LENGTH + 1], program[NAME_LENGTH + 1];
    const char *text(int option, char *area, unsigned length, const char *method);
    long long number(int option, const char *method);
};
#endif
