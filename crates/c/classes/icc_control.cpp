#include "icccommand.hpp"
#include "icceh.hpp"
#include <dfheiblk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Abends of the classes themselves: an exception that no catch takes, and a class that is used before initializeEnvironment. */
static const char ABEND_OF_EXCEPTION[] = "ACL1", ABEND_OF_UNKNOWN[] = "ACL2", ABEND_UNINITIALIZED[] = "ACL0";
enum { NAME_LENGTH = 8, LENGTH_MAX = 32767 };

static IccControl *control;
static bool isInitialized, isEdf, isEnforced, isManaged;

DFHEIBLK *icc_eib() {
    IccCommand command(C_ADDRESS);
    command.number(O_EIB).run(true);
    return (DFHEIBLK *)(unsigned long)command.result(O_EIB);
}

/* --- what belongs to no class --- */

static const struct { int code; const char *name; } conditions[] = { ICC_CONDITION_NAMES };

const char *Icc::conditionText(IccCondition::Codes condition) {
    for (const auto &known : conditions)
        if (known.code == condition) return known.name;
    return "";
}

const char *Icc::boolText(Bool test, BoolSet set) {
    return set == on ? (test ? "on" : "off") : test ? "yes" : "no";
}

void Icc::initializeEnvironment(ClassMemoryMgmt mem, FamilySubset fam, Bool EDF) {
    isInitialized = true;
    isManaged = mem != cmmNonCICS;
    isEnforced = fam == fsEnforce;
    isEdf = EDF == yes;
}

Icc::Bool Icc::isClassMemoryMgmtOn() { return isManaged ? yes : no; }
Icc::Bool Icc::isEDFOn() { return isEdf ? yes : no; }
Icc::Bool Icc::isFamilySubsetEnforcementOn() { return isEnforced ? yes : no; }
void Icc::setEDF(Bool onOff) { isEdf = onOff == yes; }

static void abend(const char *code) {
    IccCommand command(C_ABEND);
    command.name(O_ABCODE, code).run(true);
    exit(EXIT_FAILURE);
}

void Icc::catchException(IccException &exception) {
    fprintf(stderr, "%s\n", exception.summary());
    fflush(stderr);
    abend(ABEND_OF_EXCEPTION);
}

void Icc::unknownException() { abend(ABEND_OF_UNKNOWN); }

/* What the terminal object has collected goes out, and its next transaction with the RETURN. */
void Icc::returnToCICS() {
    extern IccTerminal *icc_terminal;
    if (icc_terminal != 0) icc_terminal->returnToCICS();
    exit(0);
}

/* --- the program --- */

IccControl::IccControl() : IccResource(cControl), caller(""), self(""), returning(""), communication(0UL, (void *)0), input(0UL) {
    if (!isInitialized) abend(ABEND_UNINITIALIZED);
    if (control != 0) refuse("IccControl", IccException::objectCreationError, "there is a control object");
    control = this;
}

IccControl::~IccControl() { control = 0; }
IccControl *IccControl::instance() {
    if (control == 0)
        throw IccException(IccException::objectCreationError, cControl, "IccControl", "instance", new IccMessage(0, "there is no control object"));
    return control;
}
Icc::Bool IccControl::isCreated() { return control != 0 ? Icc::yes : Icc::no; }

/* A name that ASSIGN returns. */
static void assign(char (&name)[NAME_LENGTH + 1], RegentOption option) {
    IccCommand command(C_ASSIGN);
    memset(name, 0, sizeof name);
    command.area(option, name, NAME_LENGTH).run(true);
    for (unsigned at = NAME_LENGTH; at > 0 && (name[at - 1] == ' ' || name[at - 1] == '\0'); at--) name[at - 1] = '\0';
}

const IccProgramId &IccControl::callingProgramId() {
    char name[NAME_LENGTH + 1];
    assign(name, O_INVOKINGPROG);
    return caller = name;
}
const IccProgramId &IccControl::programId() {
    char name[NAME_LENGTH + 1];
    assign(name, O_PROGRAM);
    return self = name;
}
const IccProgramId &IccControl::returnProgramId() {
    char name[NAME_LENGTH + 1];
    assign(name, O_RETURNPROG);
    return returning = name;
}

const IccBuf &IccControl::commArea() {
    IccCommand command(C_ADDRESS);
    command.number(O_COMMAREA).run(true);
    unsigned long length = icc_eib()->eibcalen;
    return communication.overlay(length, length == 0 ? 0 : (void *)(unsigned long)command.result(O_COMMAREA));
}

const IccBuf &IccControl::initData() {
    enum { INITPARM_LENGTH = 60 };
    char text[INITPARM_LENGTH];
    IccCommand command(C_ASSIGN);
    command.area(O_INITPARM, text, sizeof text).number(O_INITPARMLEN);
    if (issue(command, "initData")) input.assign((unsigned long)command.result(O_INITPARMLEN), text);
    else input.setDataLength(0);
    return input;
}

void IccControl::setAbendHandler(const char *programName) {
    IccCommand command(C_HANDLE_ABEND);
    command.name(O_PROGRAM, programName);
    issue(command, "setAbendHandler");
}
void IccControl::setAbendHandler(const IccProgramId &programId) { setAbendHandler(programId.name()); }
void IccControl::cancelAbendHandler() {
    IccCommand command(C_HANDLE_ABEND);
    command.flag(O_CANCEL);
    issue(command, "cancelAbendHandler");
}
void IccControl::resetAbendHandler() {
    IccCommand command(C_HANDLE_ABEND);
    command.flag(O_RESET);
    issue(command, "resetAbendHandler");
}

IccConsole *IccControl::console() { return IccConsole::instance(); }
IccStartRequestQ *IccControl::startRequestQ() { return IccStartRequestQ::instance(); }
IccSystem *IccControl::system() { return IccSystem::instance(); }
IccTask *IccControl::task() { return IccTask::instance(); }
IccTerminal *IccControl::terminal() { return IccTerminal::instance(); }

/* --- the system --- */

static IccSystem *systems;
IccSystem::IccSystem() : IccResource(cSystem), system(""), area(0UL, (void *)0) {}
IccSystem *IccSystem::instance() {
    if (systems == 0) systems = new IccSystem;
    return systems;
}

const char *IccSystem::applName() {
    assign(appl, O_APPLID);
    return appl;
}

const char *IccSystem::dateFormat() {
    enum { FORM_LENGTH = 6 };
    IccCommand time(C_ASKTIME), command(C_FORMATTIME);
    time.number(O_ABSTIME).run(true);
    memset(format, 0, sizeof format);
    command.number(O_ABSTIME, time.result(O_ABSTIME)).area(O_DATEFORM, format, FORM_LENGTH);
    issue(command, "dateFormat");
    return format;
}

IccSysId &IccSystem::sysId() {
    char name[5] = "";
    IccCommand command(C_ASSIGN);
    command.area(O_SYSID, name, 4);
    issue(command, "sysId");
    for (unsigned at = 4; at > 0 && name[at - 1] == ' '; at--) name[at - 1] = '\0';
    system = name;
    return system;
}

const IccBuf &IccSystem::workArea() {
    IccCommand length(C_ASSIGN), command(C_ADDRESS);
    length.number(O_CWALENG).run(true);
    command.number(O_CWA).run(true);
    return area.overlay((unsigned long)length.result(O_CWALENG), (void *)(unsigned long)command.result(O_CWA));
}

static void *get_storage(unsigned long size, char initByte, bool isInitialised, const RegentOption *flags, IccCommand &command) {
    command.number(O_SET).number(O_FLENGTH, size);
    if (isInitialised) command.area(O_INITIMG, &initByte, 1);
    for (; *flags != O_RESP; flags++) command.flag(*flags);
    return 0;
}

void *IccSystem::getStorage(unsigned long size, char initByte, unsigned long options) {
    RegentOption flags[6];
    unsigned count = 0;
    flags[count++] = O_SHARED;
    if (options & below) flags[count++] = O_BELOW;
    if (options & userDataKey) flags[count++] = O_USERDATAKEY;
    if (options & CICSDataKey) flags[count++] = O_CICSDATAKEY;
    if (options & noSuspend) flags[count++] = O_NOSUSPEND;
    flags[count] = O_RESP;
    IccCommand command(C_GETMAIN);
    get_storage(size, initByte, initByte != (char)-1, flags, command);
    return issue(command, "getStorage") ? (void *)(unsigned long)command.result(O_SET) : 0;
}

void IccSystem::freeStorage(void *pStorage) {
    IccCommand command(C_FREEMAIN);
    command.number(O_DATAPOINTER, (unsigned long)pStorage);
    issue(command, "freeStorage");
}

char IccSystem::operatingSystem() {
    char system = '\0';
    IccCommand command(C_INQUIRE_SYSTEM);
    command.area(O_OPSYS, &system, 1);
    issue(command, "operatingSystem");
    return system;
}
unsigned short IccSystem::operatingSystemLevel() {
    IccCommand command(C_INQUIRE_SYSTEM);
    command.number(O_OPREL);
    issue(command, "operatingSystemLevel");
    return (unsigned short)command.result(O_OPREL);
}
const char *IccSystem::releaseText() {
    IccCommand command(C_INQUIRE_SYSTEM);
    memset(text, 0, sizeof text);
    command.area(O_RELEASE, text, 4);
    issue(command, "releaseText");
    return text;
}
unsigned long IccSystem::release() { return (unsigned long)atol(releaseText()); }

/* The objects of browses belong to the system object and last as long as the program. */
IccFile *IccSystem::getFile(const char *fileName) { return new IccFile(fileName); }
IccFile *IccSystem::getFile(const IccFileId &id) { return new IccFile(id); }

void IccSystem::browse(int kind, ResourceType resource, const char *name, const char *method) {
    if (resource != file) refuse(method, IccException::platformError, "browses are of files; use EXEC CICS INQUIRE for other resources");
    IccCommand command(C_INQUIRE_FILE);
    command.flag((RegentOption)kind);
    if (name != 0) command.area(O_AT, name, strlen(name));
    issue(command, method);
}
void IccSystem::beginBrowse(ResourceType resource, const char *resName) { browse(O_START, resource, resName, "beginBrowse"); }
void IccSystem::beginBrowse(ResourceType resource, const IccResourceId *resId) {
    browse(O_START, resource, resId == 0 ? 0 : resId->name(), "beginBrowse");
}
void IccSystem::endBrowse(ResourceType resource) { browse(O_END, resource, 0, "endBrowse"); }

IccFile *IccSystem::getNextFile() {
    char name[NAME_LENGTH + 1];
    memset(name, 0, sizeof name);
    IccCommand command(C_INQUIRE_FILE);
    command.flag(O_NEXT).area(O_FILE, name, NAME_LENGTH);
    if (!issue(command, "getNextFile")) return 0;
    for (unsigned at = NAME_LENGTH; at > 0 && name[at - 1] == ' '; at--) name[at - 1] = '\0';
    return new IccFile(name);
}
