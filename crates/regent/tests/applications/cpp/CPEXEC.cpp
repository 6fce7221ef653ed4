// EXEC CICS in C++, with structures that COBOL shares and classes that it does not.
#include <cstring>
#include <stdio.h>

struct item {
    short code;
    int amount;
    char text[6];
};

class Total {
public:
    Total() : sum(0) {}
    void add(const item &one) { sum += one.amount; }
    long value() const { return sum; }
private:
    long sum;
};

static Total total;

static void write(const char *queue, int amount)
{
    item one = { 7, amount, "ABCDE" };
    int resp;
    EXEC CICS WRITEQ TS QUEUE(queue) FROM(one) RESP(resp);
    if (resp != DFHRESP(NORMAL))
        throw resp;
    total.add(one);
}

static void erase(const char *queue)
{
    int resp;
    EXEC CICS DELETEQ TS QUEUE(queue) RESP(resp);
    if (resp != DFHRESP(NORMAL))
        throw resp;
}

int main()
{
    char line[80];
    item read;
    int resp, resp2;
    short length = sizeof read, items;
    EXEC CICS ADDRESS EIB(dfheiptr);
    EXEC CICS DELETEQ TS QUEUE("CPEXEC") RESP(resp);
    write("CPEXEC", 70000);
    write("CPEXEC", -5);
    EXEC CICS READQ TS QUEUE("CPEXEC") INTO(read) LENGTH(length) ITEM(1) NUMITEMS(items);
    unsigned char *bytes = (unsigned char *)&read;
    sprintf(line, "CPEXEC %d %d %d %d %02X%02X%02X %ld %.4s", read.code, read.amount, items, length, bytes[4], bytes[5], bytes[6], total.value(),
            dfheiptr->eibtrnid);
    try {
        erase("CPEXEC");
        erase("CPEXEC");
    } catch (int condition) {
        sprintf(line + std::strlen(line), " CAUGHT %d", condition);
    }
    EXEC CICS SEND TEXT FROM(line) LENGTH(std::strlen(line)) ERASE FREEKB RESP(resp) RESP2(resp2);
    EXEC CICS RETURN;
}
