#include "icccommand.hpp"
#include "iccbufeh.hpp"
#include <string.h>
/* exec::block: representations, flags of a block and of an argument. */
enum { FLAG = 0, INTEGER = 1, AREA = 2, NOHANDLE = 1, RETURNED = 1, NOEDF = 0 };

IccCommand::IccCommand(RegentCommand command) : resp2(0), command(command), count(0) {}

regent_argument &IccCommand::add(RegentOption option, unsigned representation) {
    regent_argument &argument = arguments[count < ARGUMENTS_MAX ? count++ : ARGUMENTS_MAX - 1];
    memset(&argument, 0, sizeof argument);
    argument.option = option;
    argument.representation = representation;
    return argument;
}

IccCommand &IccCommand::flag(RegentOption option) {
    add(option, FLAG);
    return *this;
}

IccCommand &IccCommand::number(RegentOption option, long long value) {
    add(option, INTEGER).value = value;
    return *this;
}

IccCommand &IccCommand::area(RegentOption option, const void *area, unsigned length) {
    regent_argument &argument = add(option, AREA);
    argument.address = (unsigned long)area;
    argument.length = length;
    return *this;
}

IccCommand &IccCommand::name(RegentOption option, const char *name) {
    return name == 0 || name[0] == '\0' ? *this : area(option, name, strlen(name));
}

IccCommand &IccCommand::data(RegentOption option, RegentOption length, const IccBuf &buffer) {
    return area(option, buffer.dataArea(), buffer.dataLength()).number(length, buffer.dataLength());
}

unsigned long IccCommand::run(bool) {
    number(O_RESP).number(O_RESP2);
    regent_execute(command, NOHANDLE, 0, 0, arguments, count);
    resp2 = (unsigned long)result(O_RESP2);
    return (unsigned long)result(O_RESP);
}

long long IccCommand::result(RegentOption option) const {
    for (unsigned at = 0; at < count; at++)
        if (arguments[at].option == option) return arguments[at].value;
    return 0;
}

bool IccCommand::has(RegentOption option) const {
    for (unsigned at = 0; at < count; at++)
        if (arguments[at].option == option) return arguments[at].flags & RETURNED;
    return false;
}
