// Files of the three kinds, and browses.
#include "icceh.hpp"
#include "iccmain.hpp"
#include <string.h>

struct record {
    char key[4];
    int balance;
    char text[12];
};

static void show(const char *text, IccResource &resource)
{
    *IccTerminal::instance() << text << " " << resource.conditionText() << endl << flush;
}

static void keyed()
{
    IccTerminal &term = *IccTerminal::instance();
    IccKey key(4);
    IccFile file("CPKEYED", &key);
    key = "K";
    key.setKind(IccKey::generic);
    term << "DELETED " << file.deleteRecordGroup() << endl;
    key.setKind(IccKey::complete);
    record one;
    IccBuf buffer(sizeof one, &one);
    file.beginInsert();
    for (int at = 1; at <= 4; at++) {
        memset(&one, ' ', sizeof one);
        memcpy(one.key, "K00", 3);
        one.key[3] = (char)('0' + at);
        one.balance = at * 70000;
        key.assign(4, one.key);
        file.writeRecord(buffer);
    }
    file.endInsert();
    file.writeRecord(buffer);
    show("AGAIN", file);
    key = "K002";
    buffer = file.readRecord(IccFile::update);
    one.balance += 1;
    file.rewriteRecord(buffer);
    memset(&one, 0, sizeof one);
    buffer = file.readRecord();
    term << "READ " << (int)one.balance << endl;
    unsigned long token = 0;
    key = "K003";
    file.readRecord(IccFile::update, &token);
    file.deleteLockedRecord(token);
    file.readRecord();
    show("DELETED", file);
    IccKey start("K0", IccKey::generic);
    start = "K0";
    IccKey from(4);
    from = "K001";
    IccFileIterator iterator(&file, &from);
    term << "BROWSE";
    while (iterator.condition() == IccCondition::NORMAL) {
        const IccBuf &next = iterator.readNextRecord();
        if (iterator.condition() == IccCondition::NORMAL)
            term << " " << IccBuf(4, (void *)next.dataArea());
    }
    term << " " << iterator.conditionText() << endl;
    from = "K004";
    iterator.reset(&from);
    term << "BACK";
    for (int at = 0; at < 3; at++) {
        const IccBuf &previous = iterator.readPreviousRecord();
        term << " " << IccBuf(4, (void *)previous.dataArea());
    }
    term << endl;
    term << "KEY " << file.keyLength() << " AT " << file.keyPosition() << " TYPE " << (file.type() == IccValue::KSDS) << " READABLE "
         << file.isReadable() << " OPEN " << (file.openStatus() == IccValue::OPEN) << " ACCESS " << (file.access() == IccFile::fullAccess) << endl;
}

static void numbered()
{
    IccTerminal &term = *IccTerminal::instance();
    IccRRN slot(3);
    IccFile file("CPSLOTS", &slot);
    file.deleteRecord();
    IccBuf buffer("RECORD OF SLOT 3....");
    file.writeRecord(buffer);
    slot = 1;
    IccFileIterator iterator(&file, &slot);
    const IccBuf &found = iterator.readNextRecord();
    term << "SLOT " << slot.number() << " " << found << endl;
    IccRBA place;
    IccFile entries("CPENTRY", &place);
    IccBuf entry("ENTRY ONE");
    entries.writeRecord(entry);
    unsigned long first = place.number();
    entry = "ENTRY TWO";
    entries.writeRecord(entry);
    term << "PLACES DIFFER " << (place != first) << " ";
    place = first;
    term << entries.readRecord() << endl;
}

void IccUserControl::run()
{
    terminal()->erase();
    keyed();
    numbered();
    IccFile none("NOTTHERE");
    try {
        none.readRecord();
    } catch (IccException &exception) {
        *terminal() << exception.typeText() << " " << exception.methodName() << endl << flush;
    }
    system()->beginBrowse(IccSystem::file);
    int files = 0;
    while (IccFile *file = system()->getNextFile()) {
        files += strncmp(file->name(), "CP", 2) == 0;
        delete file;
    }
    system()->endBrowse(IccSystem::file);
    *terminal() << "FILES " << files << " APPLID " << system()->applName() << endl << flush;
}
