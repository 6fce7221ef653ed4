// Buffers: each operation shows lengths, type, owner and data, as the manual describes them.
#include "icceh.hpp"
#include "iccmain.hpp"
#include <string.h>

static int row;

static void show(const char *what, IccBuf &buffer)
{
    IccTerminal::instance()->send(++row, 1, "%-24s %2lu %2lu %c%c (%.*s)", what, buffer.dataAreaLength(), buffer.dataLength(),
                                  buffer.dataAreaType() == IccBuf::extensible ? 'E' : 'F', buffer.dataAreaOwner() == IccBuf::internal ? 'I' : 'E',
                                  (int)buffer.dataLength(), (const char *)buffer);
}

void IccUserControl::run()
{
    char area[24] = "Some text in an area";
    IccTerminal *terminal = IccTerminal::instance();
    terminal->erase();
    IccBuf first, second(50), third(30, IccBuf::fixed), fourth(sizeof area, area), fifth("A text"), sixth(fifth);
    show("IccBuf first", first);
    show("second(50)", second);
    show("third(30,fixed)", third);
    show("fourth(area)", fourth);
    show("sixth(fifth)", sixth);
    first = "Some XXX data";
    show("first = text", first);
    second.assign(9, "assigned!");
    show("assign", second);
    first.cut(4, 5);
    show("cut(4,5)", first);
    fifth.insert(5, "more ", 2);
    show("insert(5,more,2)", fifth);
    fifth.replace(4, "MUCH", 2);
    show("replace(4,MUCH,2)", fifth);
    second << ".ext" << 5 << ' ' << 2.5;
    show("<<", second);
    third = fourth;
    show("third = fourth", third);
    if (third == fourth && third != "other")
        terminal->send(++row, 1, "EQUAL");
    try {
        third = "This text is too long for the thirty bytes of the data area";
    } catch (IccException &exception) {
        terminal->send(++row, 1, "%s", exception.summary());
    }
    show("cut by the assignment", third);
    fourth.setDataLength(4);
    fourth += "!";
    show("appended to the area", fourth);
    if (memcmp(area, "Some!", 5) == 0)
        terminal->send(++row, 1, "THE AREA IS THE DATA");
}
