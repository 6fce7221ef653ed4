#include "CSQL.h"
#include <stdlib.h>
EXEC SQL INCLUDE SQLCA;
EXEC SQL INCLUDE CTOWN;

/* By WHENEVER the end of the rows and errors are labels. */
static int sum(int least)
{
    EXEC SQL BEGIN DECLARE SECTION;
    int people, total = 0;
    short missing;
    EXEC SQL END DECLARE SECTION;

    EXEC SQL WHENEVER SQLERROR GO TO failed;
    EXEC SQL WHENEVER NOT FOUND GOTO ended;
    EXEC SQL DECLARE ALL_TOWNS CURSOR FOR
        SELECT PEOPLE -- of each town
        FROM TOWN
        WHERE NUMBER >= :least /* and
               not before */ ORDER BY NUMBER; // C comments, too
    EXEC SQL OPEN ALL_TOWNS;
    for (;;) {
        EXEC SQL FETCH ALL_TOWNS INTO :people :missing;
        if (missing >= 0)
            total += people;
    }
ended:
    EXEC SQL WHENEVER NOT FOUND CONTINUE;
    EXEC SQL CLOSE ALL_TOWNS;
    return total;
failed:
    return -1;
}

static int refused(void)
{
    EXEC SQL WHENEVER SQLERROR GO TO failed;
    EXEC SQL INSERT INTO TOWN (NUMBER, NAME) VALUES (1, 'AGAIN');
    return 0;
failed:
    EXEC SQL WHENEVER SQLERROR CONTINUE;
    return SQLCODE;
}

static int warned(void)
{
    char narrow[3];
    EXEC SQL WHENEVER SQLWARNING GO TO warning;
    EXEC SQL SELECT NAME INTO :narrow FROM TOWN WHERE NUMBER = 1;
    return 0;
warning:
    EXEC SQL WHENEVER SQLWARNING CONTINUE;
    return narrow[0] == 'O' ? 1 : 2;
}

static void rowsets(void)
{
    long numbers[5] = { 11, 12, 13, 14, 15 };
    char names[5][21] = { "A", "BB", "CCC", "DDDD", "EEEEE" };
    struct { short len; char data[20]; } varying[5];
    short missing[5] = { 0, -1, 0, -1, 0 };
    struct { long numbers[5]; long long people[5]; } block;
    int count = 5, skip = 2;

    EXEC SQL INSERT INTO TOWN (NUMBER, NAME, PEOPLE) VALUES (:numbers, :names, :numbers:missing) FOR :count ROWS ATOMIC;
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 5);
    EXEC SQL DECLARE BLOCKS CURSOR WITH ROWSET POSITIONING FOR
        SELECT NUMBER, NAME, PEOPLE FROM TOWN WHERE NUMBER > 10 ORDER BY NUMBER;
    EXEC SQL OPEN BLOCKS;
    memset(numbers, 0, sizeof numbers);
    memset(names, 'x', sizeof names);
    EXEC SQL FETCH NEXT ROWSET FROM BLOCKS FOR 3 ROWS INTO :numbers, :names, :block.people:missing;
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 3 && numbers[0] == 11 && numbers[2] == 13 && numbers[3] == 0);
    CHECK(strcmp(names[0], "A") == 0 && strcmp(names[2], "CCC") == 0 && names[3][0] == 'x');
    CHECK(missing[0] == 0 && missing[1] == -1 && missing[2] == 0 && block.people[0] == 11 && block.people[2] == 13);
    EXEC SQL FETCH NEXT ROWSET FROM BLOCKS FOR :count ROWS INTO :block.numbers, :varying, :numbers:missing;
    CHECK(SQLCODE == 100 && sqlca.sqlerrd[2] == 2 && block.numbers[0] == 14 && block.numbers[1] == 15);
    CHECK(varying[1].len == 5 && memcmp(varying[1].data, "EEEEE", 5) == 0 && missing[0] == -1 && numbers[1] == 15);
    EXEC SQL CLOSE BLOCKS;
    EXEC SQL DELETE FROM TOWN WHERE NUMBER > 10 + :skip;
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 3);
}

static void positioned(void)
{
    struct town town;
    EXEC SQL DECLARE CHANGED CURSOR FOR SELECT NUMBER, NAME, PEOPLE FROM TOWN WHERE NUMBER = 1 FOR UPDATE OF PEOPLE;
    EXEC SQL OPEN CHANGED;
    EXEC SQL FETCH CHANGED INTO :town;
    CHECK(SQLCODE == 0 && town.number == 1 && memcmp(town.name.data, "OSLO", 4) == 0 && town.people == 700000);
    town.people++;
    EXEC SQL UPDATE TOWN SET PEOPLE = :town.people WHERE CURRENT OF CHANGED;
    CHECK(SQLCODE == 0);
    EXEC SQL CLOSE CHANGED;
    EXEC SQL SELECT PEOPLE INTO :town.people FROM TOWN WHERE NUMBER = 1;
    CHECK(town.people == 700001);
}

static void unit_of_work(void)
{
    EXEC SQL COMMIT;
    CHECK(SQLCODE == -925);
    EXEC SQL ROLLBACK;
    CHECK(SQLCODE == -926);
    EXEC SQL DELETE FROM TOWN;
    EXEC CICS SYNCPOINT ROLLBACK;
    CHECK(sum(0) == 700000);
}

int main(void)
{
    struct town towns[3] = { { 1, { 4, "OSLO" }, 700000 }, { 2, { 4, "BERN" }, 0 }, { 3, { 4, "ROMA" }, 2800000 } };
    short unknown = -1;

    for (int i = 0; i < 3; i++)
        if (towns[i].people == 0)
            EXEC SQL INSERT INTO TOWN VALUES (:towns[i].number, :towns[i].name, :towns[i].people:unknown);
        else
            EXEC SQL INSERT INTO TOWN VALUES (:towns[i]);
    EXEC CICS SYNCPOINT;
    CHECK(sum(0) == 3500000 && sum(2) == 2800000 && sum(9) == 0);
    CHECK(refused() == -803);
    CHECK(warned() == 1);
    EXEC SQL DELETE FROM TOWN WHERE NUMBER = 3;
    EXEC CICS SYNCPOINT;
    unit_of_work();
    rowsets();
    positioned();
    LAST("CSQLCUR");
    return failures;
}
