/* Wild pointers as host variables, indicators, SQLCA and SQLDA, and requests with a wrong number of variables: the letter of the
   transaction's input chooses. */
#include <string.h>
EXEC SQL INCLUDE SQLCA;
EXEC SQL INCLUDE SQLDA;

struct pair { short a; long b; };

/* The SQLCODE of the first statement, which is that of CSQLPART with two variables, for a request with another number. */
static long forged(unsigned count)
{
    struct regent_sql_variable variable = { 0, 0 };
    struct regent_sql_request request = { 0, count, (unsigned long)&variable, (unsigned long)&sqlca, 0, 0, 1, 0 };
    regent_sql(&request);
    return SQLCODE;
}

int main(void)
{
    char input[10] = "";
    short length = sizeof input, *wild = (short *)0x7FFFF000, *null = 0, number;
    struct pair *pair = (struct pair *)16;
    char (*name)[30000] = (char (*)[30000])0x7FFFE000;
    struct sqlda *area = (struct sqlda *)0x7FFFF000;

    EXEC CICS RECEIVE INTO(input) LENGTH(length);
    switch (input[5]) {
    case 'O': EXEC SQL SET :*wild = 1; break;
    case 'I': EXEC SQL SET :number = :*null; break;
    case 'S': EXEC SQL SET :pair->b = 1; break;
    case 'N': EXEC SQL SET :number:*wild = 1; break;
    case 'T': EXEC SQL SELECT NAME INTO :number FROM TOWN WHERE NAME = :*name; break;
    case 'D': EXEC SQL PREPARE S FROM 'SELECT NUMBER FROM TOWN'; EXEC SQL DESCRIBE S INTO :*area; break;
    case 'F':
        if (forged(0xFFFFFFFFu) == -804 && forged(0) == -804 && forged(3) == -804) {
            EXEC CICS SEND TEXT FROM("FORGED REQUESTS ARE REFUSED") ERASE FREEKB;
        }
        return 0;
    }
    EXEC CICS SEND TEXT FROM("CSQLTRAP CAME TO ITS END") ERASE FREEKB;
    return 0;
}
