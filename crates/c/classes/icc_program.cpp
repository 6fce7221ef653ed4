#include "icccommand.hpp"
#include "iccconeh.hpp"
#include "iccprgeh.hpp"
#include <stdarg.h>

IccProgram::IccProgram(const IccProgramId &id) : IccResource(cProgram, new IccProgramId(id)), place(0), entry(0), bytes(0), input(0) {}
IccProgram::IccProgram(const char *progName) : IccResource(cProgram, new IccProgramId(progName)), place(0), entry(0), bytes(0), input(0) {}
void IccProgram::clear() { unload(); }

void IccProgram::link(const IccBuf *commArea, const IccTransId *transId, CommitOpt opt) {
    IccCommand command(C_LINK);
    command.name(O_PROGRAM, name());
    if (commArea != 0) command.data(O_COMMAREA, O_LENGTH, *commArea);
    if (input != 0) command.data(O_INPUTMSG, O_INPUTMSGLEN, *input);
    if (transId != 0) command.name(O_TRANSID, transId->name());
    if (opt == commitOnReturn) command.flag(O_SYNCONRETURN);
    issueRouted(command, "link");
}

void IccProgram::load(LoadOpt opt) {
    IccCommand command(C_LOAD);
    command.name(O_PROGRAM, name()).number(O_SET).number(O_ENTRY).number(O_FLENGTH);
    if (opt == hold) command.flag(O_HOLD);
    if (!issue(command, "load")) return;
    place = (const void *)(unsigned long)command.result(O_SET);
    entry = (const void *)(unsigned long)command.result(O_ENTRY);
    bytes = (unsigned long)command.result(O_FLENGTH);
}

void IccProgram::unload() {
    IccCommand command(C_RELEASE);
    command.name(O_PROGRAM, name());
    if (!issue(command, "unload")) return;
    place = entry = 0;
    bytes = 0;
}

/* --- console --- */

static IccConsole *console;
IccConsole::IccConsole() : IccResource(cConsole), timeout(0), routes(0) {}
IccConsole *IccConsole::instance() {
    if (console == 0) console = new IccConsole;
    return console;
}

void IccConsole::setAllRouteCodes() {
    for (routes = 0; routes < ROUTES_MAX; routes++) codes[routes] = (char)(routes + 1);
}

void IccConsole::setRouteCodes(unsigned short numRoutes, ...) {
    if (numRoutes > ROUTES_MAX) refuse("setRouteCodes", IccException::invalidArgument, "there are 28 route codes");
    va_list values;
    va_start(values, numRoutes);
    for (routes = 0; routes < numRoutes; routes++) codes[routes] = (char)va_arg(values, int);
    va_end(values);
}

void IccConsole::send(const IccBuf &text, SeverityOpt opt, bool hasReply, const char *method) {
    static const int actions[] = { 0, IccValue::EVENTUAL, IccValue::IMMEDIATE, IccValue::CRITICAL };
    char area[REPLY_MAX];
    IccCommand command(C_WRITE_OPERATOR);
    command.data(O_TEXT, O_TEXTLENGTH, text);
    if (routes > 0) command.area(O_ROUTECODES, codes, routes).number(O_NUMROUTES, routes);
    if (opt != none) command.number(O_ACTION, actions[opt]);
    if (hasReply) {
        command.area(O_REPLY, area, sizeof area).number(O_MAXLENGTH, sizeof area).number(O_REPLYLENGTH);
        if (timeout != 0) command.number(O_TIMEOUT, timeout);
    }
    bool isNormal = issue(command, method);
    if (hasReply) reply.assign(isNormal ? (unsigned long)command.result(O_REPLYLENGTH) : 0, area);
}
void IccConsole::put(const IccBuf &text) { write(text); }
void IccConsole::write(const IccBuf &text, SeverityOpt opt) { send(text, opt, false, "write"); }
const IccBuf &IccConsole::writeAndGetReply(const IccBuf &text, SeverityOpt opt) {
    send(text, opt, true, "writeAndGetReply");
    return reply;
}
