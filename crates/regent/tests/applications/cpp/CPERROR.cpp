// Conditions: none, an event, an exception, an abend.
#include "icceh.hpp"
#include "iccmain.hpp"

class Watched : public IccTempStore {
public:
    Watched(HandleEventReturnOpt answer) : IccTempStore("NOQUEUE"), answer(answer) {}
    virtual HandleEventReturnOpt handleEvent(IccEvent &event)
    {
        *IccTerminal::instance() << event.summary() << endl << flush;
        return answer;
    }
private:
    HandleEventReturnOpt answer;
};

static char *kept;

class Guard {
public:
    Guard(const char *name) : name(name) {}
    ~Guard() { *IccTerminal::instance() << "LEFT " << name << endl << flush; }
private:
    const char *name;
};

static void inner(IccTempStore &store)
{
    Guard guard("INNER");
    store.readNextItem();
}

void IccUserControl::run()
{
    IccBuf input = terminal()->receive();
    bool isAbend = input.dataLength() > 5;
    terminal()->erase();
    IccTempStore store("NOQUEUE");
    store.readNextItem();
    *terminal() << "MANUAL " << store.conditionText() << " " << (store.condition() == IccCondition::QIDERR) << " "
                << store.actionOnConditionAsChar(IccCondition::QIDERR) << endl;
    Watched watched(IccResource::rContinue);
    watched.setActionOnAnyCondition(IccResource::callHandleEvent);
    watched.readNextItem();
    Watched thrown(IccResource::rThrowException);
    thrown.setActionsOnConditions("0HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH");
    try {
        Guard guard("OUTER");
        inner(thrown);
    } catch (IccException &exception) {
        *terminal() << exception.summary() << endl << exception.message()->summary() << " " << exception.className() << endl << flush;
    }
    try {
        try {
            throw "text";
        } catch (const char *text) {
            *terminal() << "CAUGHT " << text << endl << flush;
            throw 25;
        }
    } catch (int number) {
        *terminal() << "AND " << number << endl << flush;
    }
    try {
        kept = new char[0x60000000];
    } catch (std::bad_alloc &) {
        *terminal() << "NO STORAGE" << endl << flush;
    }
    store.setActionOnAnyCondition(isAbend ? IccResource::abendTask : IccResource::noAction);
    store.readNextItem();
    *terminal() << "END OF CPERROR" << endl << flush;
}
