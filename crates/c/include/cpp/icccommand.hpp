#ifndef ICCCOMMAND
#define ICCCOMMAND
/* A command of the EXEC interface as the foundation classes build it: its options are known when it runs. */
#include <regent.hpp>
#include "regent_commands.hpp"
class IccBuf;
class IccCommand {
public:
    IccCommand(RegentCommand command);
    IccCommand &flag(RegentOption option);
    /* A number for the command, or from it. */
    IccCommand &number(RegentOption option, long long value = 0);
    IccCommand &area(RegentOption option, const void *area, unsigned length);
    /* A name, to its binary zero; none if it is empty or there is none. */
    IccCommand &name(RegentOption option, const char *name);
    IccCommand &data(RegentOption option, RegentOption length, const IccBuf &buffer);
    /* The response; the second is resp2. */
    unsigned long run(bool edf);
    long long result(RegentOption option) const;
    bool has(RegentOption option) const;
    unsigned long resp2;
private:
    enum { ARGUMENTS_MAX = 24 };
    regent_argument &add(RegentOption option, unsigned representation);
    RegentCommand command;
    unsigned count;
    regent_argument arguments[ARGUMENTS_MAX];
};
#endif
