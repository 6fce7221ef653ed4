/* Reads towns from standard input into a table; the letter of its argument says how it ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
EXEC SQL INCLUDE SQLCA;

static int loaded(void)
{
    int count = -1;
    EXEC SQL SELECT COUNT(*) INTO :count FROM TOWN;
    return count;
}

int main(int argc, char *argv[])
{
    char name[21], end = argc > 1 ? argv[1][0] : '-';
    short *wild = (short *)0x7FFFF000;

    EXEC SQL WHENEVER SQLERROR GO TO failed;
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, " \n")] = '\0';
        EXEC SQL INSERT INTO TOWN (NAME) VALUES (:name);
        if (end == 'B')
            EXEC SQL ROLLBACK;
        if (end == 'C')
            EXEC SQL COMMIT;
    }
    printf("%s: %d towns\n", argv[0], loaded());
    if (end == 'W')
        EXEC SQL SELECT COUNT(*) INTO :*wild FROM TOWN;
    if (end == 'X')
        EXEC CICS SYNCPOINT;
    if (end == 'A')
        abort();
    return 0;
failed:
    printf("SQLCODE %ld\n", SQLCODE);
    return 8;
}
