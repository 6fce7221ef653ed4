// Temporary storage, transient data, journals and the console.
#include "icceh.hpp"
#include "iccmain.hpp"

static void show(IccResource &resource, const char *text)
{
    *IccTerminal::instance() << text << " " << resource.conditionText() << " " << resource.condition(IccResource::minorCode) << endl << flush;
}

void IccUserControl::run()
{
    terminal()->erase();
    IccTempStoreId id("CPPQUEUE");
    IccTempStore store(id, IccTempStore::memory);
    store.empty();
    show(store, "EMPTY");
    store.writeItem("first item");
    IccBuf second("second");
    unsigned short number = store.writeItem(second);
    second << " rewritten";
    store.rewriteItem(2, second);
    *terminal() << "ITEM " << number << " OF " << store.numberOfItems() << endl;
    *terminal() << "READ " << store.readItem(2) << endl;
    *terminal() << "NEXT " << store.get() << " ";
    show(store, "AT THE END");
    show(store, (const char *)(store.readItem(1)));
    store.readItem(9);
    show(store, "NO ITEM 9");
    store.clear();
    store.setActionOnCondition(IccResource::throwException, IccCondition::QIDERR);
    try {
        store.readItem(1);
    } catch (IccException &exception) {
        *terminal() << exception.summary() << endl << flush;
    }
    IccDataQueue queue("CPTD");
    queue.clear();
    queue.put("in transient data");
    queue.writeItem("and more");
    *terminal() << "TD " << queue.readItem() << ", " << queue.get() << endl;
    queue.readItem();
    show(queue, "TD EMPTY");
    IccDataQueue nowhere("NONE");
    nowhere.writeItem("x");
    show(nowhere, "TD NONE");
    IccJournal journal(7);
    IccBuf prefix("PREFIX");
    journal.registerPrefix(&prefix);
    journal.setJournalTypeId("CP");
    IccRequestId request = journal.writeRecord("a journal record");
    journal.wait(&request);
    show(journal, "JOURNAL");
    console()->setRouteCodes(2, 1, 11);
    console()->write("CPQUEUE TO THE OPERATOR", IccConsole::severe);
    show(*console(), "CONSOLE");
}
