// The task, the clock, semaphores and storage.
#include "icceh.hpp"
#include "iccmain.hpp"
#include <string.h>

void IccUserControl::run()
{
    IccTerminal &term = *terminal();
    term.erase();
    IccTask &task = *this->task();
    term << "TASK " << (task.number() > 0) << " " << task.transId().name() << " " << (task.startType() == IccTask::terminalInput) << " "
         << (task.facilityType() == IccTask::terminal) << " " << task.isRestarted() << " " << task.isCommitSupported() << endl;
    char *storage = (char *)task.getStorage(100, 'x');
    term << "STORAGE " << (storage[0] == 'x' && storage[99] == 'x') << endl;
    task.freeStorage(storage);
    task.workArea().replace(4, "TWA!");
    term << "TWA " << task.workArea().dataLength() << " " << IccBuf(4, (void *)task.workArea().dataArea()) << endl;
    char moment[8] = { 0x00, 0x39, 0x11, 0x63, (char)0x16, 0x12, 0x34, (char)0x5C };
    IccAbsTime fixed(moment);
    term << "DATE " << fixed.date(IccClock::YYYYMMDD, '-') << " " << fixed.date(IccClock::DDMMYY) << " TIME " << fixed.time(':') << " DAY "
         << fixed.dayOfMonth() << " " << (fixed.dayOfWeek() == IccClock::sunday) << " " << fixed.monthOfYear() << " " << fixed.year() << endl << flush;
    IccClock clock(IccClock::automatic);
    IccAbsTime before = clock.absTime();
    task.delay(IccTimeInterval(0, 0, 1));
    term << "WAITED " << (clock.milliSeconds() - before.milliSeconds() >= 1000) << endl;
    const IccAlarmRequestId &alarm = clock.setAlarm(IccTimeInterval(0, 0, 1));
    term << "ALARM " << alarm.isExpired();
    task.waitOnAlarm(alarm);
    term << " " << alarm.isExpired() << " " << task.conditionText() << endl << flush;
    IccSemaphore semaphore("CPPLOCK", IccSemaphore::byValue, IccSemaphore::task);
    term << "LOCK " << semaphore.tryLock() << " " << semaphore.conditionText();
    semaphore.unlock();
    term << " " << semaphore.conditionText() << endl;
    task.enterTrace(5, "CPTASK");
    term << "TRACE " << task.conditionText();
    IccBuf data("dumped");
    task.setDumpOpts(IccTask::dProgram);
    const char *id = task.dump("CPDM", &data);
    term << " DUMP " << task.conditionText() << " " << (strchr(id, '/') != 0) << endl;
    task.setPriority(50);
    task.suspend();
    IccTempStore store("CPROLL");
    task.commitUOW();
    term << "COMMIT " << task.conditionText() << endl;
    term << "SYSTEM " << system()->sysId().name() << " " << (system()->release() > 0) << " " << system()->dateFormat() << endl << flush;
}
