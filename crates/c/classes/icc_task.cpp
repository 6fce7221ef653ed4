#include "icccommand.hpp"
#include "icctskeh.hpp"
#include <dfheiblk.h>
#include <string.h>

extern void icc_add_time(IccCommand &command, const IccTime &time);
extern DFHEIBLK *icc_eib();

static IccTask *tasks;
static IccAbendData *abends;

IccTask::IccTask() : IccResource(cTask), abended(0), dumpOptions(dDefault), system(""), transaction(""), queue(""), user(""), area(0UL, (void *)0) {
    waitName[0] = '\0';
}
IccTask *IccTask::instance() {
    if (tasks == 0) tasks = new IccTask;
    return tasks;
}

void IccTask::abend(const char *abendCode, AbendHandlerOpt opt1, AbendDumpOpt opt2) {
    IccCommand command(C_ABEND);
    command.name(O_ABCODE, abendCode);
    if (opt1 == ignoreAbendHandler) command.flag(O_CANCEL);
    if (opt2 == suppressDump) command.flag(O_NODUMP);
    issue(command, "abend");
}

IccAbendData *IccTask::abendData() { return IccAbendData::instance(); }

void IccTask::commitUOW() {
    IccCommand command(C_SYNCPOINT);
    issue(command, "commitUOW");
}
void IccTask::rollBackUOW() {
    IccCommand command(C_SYNCPOINT_ROLLBACK);
    issue(command, "rollBackUOW");
}

void IccTask::delay(const IccTime &time, const IccRequestId *reqId) {
    IccCommand command(C_DELAY);
    bool isInterval = time.type() == IccTime::timeInterval;
    command.flag(isInterval ? O_FOR : O_UNTIL).number(O_HOURS, time.hours()).number(O_MINUTES, time.minutes()).number(O_SECONDS, time.seconds());
    if (reqId != 0) command.name(O_REQID, reqId->name());
    issue(command, "delay");
}

const char *IccTask::dump(const char *dumpCode, const IccBuf *buf) {
    static const struct { unsigned long bit; RegentOption option; } options[] = {
        { dComplete, O_COMPLETE }, { dTask, O_TASK }, { dStorage, O_STORAGE }, { dProgram, O_PROGRAM }, { dTerminal, O_TERMINAL },
        { dTables, O_TABLES }, { dFCT, O_FCT }, { dPCT, O_PCT }, { dPPT, O_PPT }, { dSIT, O_SIT }, { dTCT, O_TCT }, { dTRT, O_TRT }
    };
    IccCommand command(C_DUMP_TRANSACTION);
    memset(dumpId, 0, sizeof dumpId);
    command.name(O_DUMPCODE, dumpCode).area(O_DUMPID, dumpId, DUMP_ID_LENGTH);
    if (buf != 0) command.data(O_FROM, O_FLENGTH, *buf);
    for (const auto &option : options)
        if (dumpOptions & option.bit) command.flag(option.option);
    issue(command, "dump");
    return dumpId;
}

void IccTask::enterTrace(unsigned short traceNum, const char *resource, IccBuf *data, TraceOpt opt) {
    enum { RESOURCE_LENGTH = 8 };
    char name[RESOURCE_LENGTH];
    IccCommand command(C_ENTER_TRACENUM);
    command.number(O_TRACENUM, traceNum);
    if (data != 0) command.data(O_FROM, O_FROMLENGTH, *data);
    if (resource != 0) {
        memset(name, ' ', sizeof name);
        memcpy(name, resource, strlen(resource) < sizeof name ? strlen(resource) : sizeof name);
        command.area(O_RESOURCE, name, sizeof name);
    }
    if (opt == exception) command.flag(O_EXCEPTION);
    issue(command, "enterTrace");
}

/* The first letters of STARTCODE and of FCI. */
char IccTask::startCode() {
    char code[2] = { ' ', ' ' };
    IccCommand command(C_ASSIGN);
    command.area(O_STARTCODE, code, sizeof code);
    issue(command, "startType");
    return code[0];
}

IccTask::StartType IccTask::startType() {
    switch (startCode()) {
    case 'D': return DPL;
    case 'Q': return dataQueueTrigger;
    case 'S': return startRequest;
    case 'U': return userRequest;
    default: return terminalInput;
    }
}

Icc::Bool IccTask::isStartDataAvailable() {
    char code[2] = { ' ', ' ' };
    IccCommand command(C_ASSIGN);
    command.area(O_STARTCODE, code, sizeof code);
    issue(command, "isStartDataAvailable");
    return code[0] == 'S' && code[1] == 'D' ? Icc::yes : Icc::no;
}

Icc::Bool IccTask::isCommitSupported() {
    char code[2] = { ' ', ' ' };
    IccCommand command(C_ASSIGN);
    command.area(O_STARTCODE, code, sizeof code);
    issue(command, "isCommitSupported");
    /* D: by a distributed program link without SYNCONRETURN; its syncpoint is that of the caller. */
    return code[0] == 'D' && code[1] != 'S' ? Icc::no : Icc::yes;
}

IccTask::FacilityType IccTask::facilityType() {
    enum { FCI_NONE = 0x00, FCI_TERMINAL = 0x01, FCI_DATA_QUEUE = 0x08 };
    char facility = 0;
    IccCommand command(C_ASSIGN);
    command.area(O_FCI, &facility, 1);
    issue(command, "facilityType");
    return facility & FCI_TERMINAL ? terminal : facility & FCI_DATA_QUEUE ? dataQueue : none;
}

void *IccTask::getStorage(unsigned long size, char initByte, unsigned short options) {
    IccCommand command(C_GETMAIN);
    command.number(O_SET).number(O_FLENGTH, size);
    if (initByte != (char)-1) command.area(O_INITIMG, &initByte, 1);
    if (options & below) command.flag(O_BELOW);
    if (options & userDataKey) command.flag(O_USERDATAKEY);
    if (options & CICSDataKey) command.flag(O_CICSDATAKEY);
    if (options & ifSOSReturnCondition) command.flag(O_NOSUSPEND);
    return issue(command, "getStorage") ? (void *)(unsigned long)command.result(O_SET) : 0;
}

void IccTask::freeStorage(void *pStorage) {
    IccCommand command(C_FREEMAIN);
    command.number(O_DATAPOINTER, (unsigned long)pStorage);
    issue(command, "freeStorage");
}

/* An option of ASSIGN that is X'FF' for yes. */
bool IccTask::assigned(int option, const char *method) {
    char value = 0;
    IccCommand command(C_ASSIGN);
    command.area((RegentOption)option, &value, 1);
    issue(command, method);
    return (unsigned char)value == 0xFF || value == 'X';
}
Icc::Bool IccTask::isCommandSecurityOn() { return assigned(O_CMDSEC, "isCommandSecurityOn") ? Icc::yes : Icc::no; }
Icc::Bool IccTask::isResourceSecurityOn() { return assigned(O_RESSEC, "isResourceSecurityOn") ? Icc::yes : Icc::no; }
Icc::Bool IccTask::isRestarted() { return assigned(O_RESTART, "isRestarted") ? Icc::yes : Icc::no; }

unsigned long IccTask::number() { return (unsigned long)regent_packed(icc_eib()->eibtaskn, sizeof icc_eib()->eibtaskn); }

/* A name that ASSIGN returns, without its blanks. */
static void assign_name(IccCommand &command, int option, char *name, unsigned length) {
    memset(name, 0, length + 1);
    command.area((RegentOption)option, name, length);
}
static const char *trimmed(char *name, unsigned length) {
    while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\0')) name[--length] = '\0';
    return name;
}

IccSysId &IccTask::principalSysId(Icc::GetOpt) {
    char name[5];
    IccCommand command(C_ASSIGN);
    assign_name(command, O_PRINSYSID, name, 4);
    issue(command, "principalSysId");
    system = trimmed(name, 4);
    return system;
}

unsigned short IccTask::priority(Icc::GetOpt) {
    IccCommand command(C_ASSIGN);
    command.number(O_TASKPRIORITY);
    issue(command, "priority");
    return (unsigned short)command.result(O_TASKPRIORITY);
}
void IccTask::setPriority(unsigned short pri) {
    IccCommand command(C_CHANGE_TASK);
    command.number(O_PRIORITY, pri);
    issue(command, "setPriority");
}

void IccTask::setWaitText(const char *name) {
    if (strlen(name) > WAIT_NAME_LENGTH) refuse("setWaitText", IccException::invalidArgument, "the name is too long");
    strcpy(waitName, name);
}

void IccTask::suspend() {
    IccCommand command(C_SUSPEND);
    issue(command, "suspend");
}

const IccTransId &IccTask::transId() {
    char name[5] = "";
    memcpy(name, icc_eib()->eibtrnid, 4);
    return transaction = trimmed(name, 4);
}

const IccDataQueueId &IccTask::triggerDataQueueId() {
    char name[5];
    IccCommand command(C_ASSIGN);
    assign_name(command, O_QNAME, name, 4);
    issue(command, "triggerDataQueueId");
    return queue = trimmed(name, 4);
}

const IccUserId &IccTask::userId(Icc::GetOpt) {
    char name[9];
    IccCommand command(C_ASSIGN);
    assign_name(command, O_USERID, name, 8);
    issue(command, "userId");
    return user = trimmed(name, 8);
}

void IccTask::waitExternal(long **ECBList, unsigned long numEvents, WaitPurgeability opt, WaitPostType type) {
    /* WAITCICS: events that are posted by hand, without the system's POST. */
    IccCommand command(type == handPost ? C_WAITCICS : C_WAIT_EXTERNAL);
    /* The addresses in the list have their most significant byte first for the command. */
    regent_big<unsigned long> *list = (regent_big<unsigned long> *)getStorage((numEvents + 1) * sizeof *list);
    if (list == 0) return;
    for (unsigned long at = 0; at < numEvents; at++) list[at] = (unsigned long)ECBList[at];
    command.number(O_ECBLIST, (unsigned long)list).number(O_NUMEVENTS, numEvents);
    command.flag(opt == purgeable ? O_PURGEABLE : O_NOTPURGEABLE).name(O_NAME, waitName);
    issue(command, "waitExternal");
    IccCommand release(C_FREEMAIN);
    release.number(O_DATAPOINTER, (unsigned long)list).run(true);
}

void IccTask::waitOnAlarm(const IccAlarmRequestId &id) {
    IccCommand command(C_WAIT_EVENT);
    command.number(O_ECADDR, (unsigned long)id.timerECA()).name(O_NAME, waitName);
    issue(command, "waitOnAlarm");
}

IccBuf &IccTask::workArea() {
    IccCommand length(C_ASSIGN), command(C_ADDRESS);
    length.number(O_TWALENG).run(true);
    command.number(O_TWA).run(true);
    return area.overlay((unsigned long)length.result(O_TWALENG), (void *)(unsigned long)command.result(O_TWA));
}

/* --- the data of an abend --- */

IccAbendData *IccAbendData::instance() {
    if (abends == 0) abends = new IccAbendData;
    return abends;
}

const char *IccAbendData::text(int option, char *area, unsigned length, const char *method) {
    IccCommand command(C_ASSIGN);
    memset(area, 0, length + 1);
    command.area((RegentOption)option, area, length);
    issue(command, method);
    return area;
}
long long IccAbendData::number(int option, const char *method) {
    IccCommand command(C_ASSIGN);
    command.number((RegentOption)option);
    issue(command, method);
    return command.result((RegentOption)option);
}
const char *IccAbendData::abendCode(Icc::GetOpt) { return text(O_ABCODE, code, CODE_LENGTH, "abendCode"); }
const char *IccAbendData::originalAbendCode(Icc::GetOpt) { return text(O_ORGABCODE, original, CODE_LENGTH, "originalAbendCode"); }
const char *IccAbendData::programName(Icc::GetOpt) { return text(O_ABPROGRAM, program, NAME_LENGTH, "programName"); }
const char *IccAbendData::ASRAInterrupt(Icc::GetOpt) { return text(O_ASRAINTRPT, interrupt, INTERRUPT_LENGTH, "ASRAInterrupt"); }
const char *IccAbendData::ASRAPSW(Icc::GetOpt) { return text(O_ASRAPSW, psw, PSW_LENGTH, "ASRAPSW"); }
const char *IccAbendData::ASRARegisters(Icc::GetOpt) { return text(O_ASRAREGS, registers, REGISTERS_LENGTH, "ASRARegisters"); }
IccValue::CVDA IccAbendData::ASRAKeyType(Icc::GetOpt) { return (IccValue::CVDA)number(O_ASRAKEY, "ASRAKeyType"); }
IccValue::CVDA IccAbendData::ASRASpaceType(Icc::GetOpt) { return (IccValue::CVDA)number(O_ASRASPC, "ASRASpaceType"); }
IccValue::CVDA IccAbendData::ASRAStorageType(Icc::GetOpt) { return (IccValue::CVDA)number(O_ASRASTG, "ASRAStorageType"); }
Icc::Bool IccAbendData::isDumpAvailable(Icc::GetOpt) {
    char value = 0;
    text(O_ABDUMP, interrupt, 1, "isDumpAvailable");
    value = interrupt[0];
    return (unsigned char)value == 0xFF ? Icc::yes : Icc::no;
}
