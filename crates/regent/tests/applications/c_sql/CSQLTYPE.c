#include "CSQL.h"
#define NAMELEN 10
EXEC SQL INCLUDE SQLCA;

/* A host structure, its indicators, and a string of varying length. */
typedef struct {
    short small;
    long whole;
    long long large;
    struct { short len; char data[30]; } varying;
} ROW;

EXEC SQL BEGIN DECLARE SECTION;
static short small = -12345;
static long whole = -1234567890;
static char fixed[NAMELEN + 1];
struct { short len; char data[30]; } varying;
SQL TYPE IS VARBINARY(20) bits;
SQL TYPE IS CLOB(1K) text;
SQL TYPE IS CLOB_LOCATOR handle;
EXEC SQL END DECLARE SECTION;

static void values_come_back(void)
{
    long long large = -1234567890123456789LL;
    double amount = 1234567.25, twice = 2.5e100;
    float single = -0.5f;
    char day[11] = "2026-11-26", moment[27], one, longer[31] = "Z\xC6" "rich";
    int id = 1;

    strcpy(fixed, "ABC");
    varying.len = 5;
    memcpy(varying.data, "HELLO", 5);
    bits.len = 3;
    memcpy(bits.data, "\x00\xFF\x80", 3);
    text.length = 4;
    memcpy(text.data, "LONG", 4);
    EXEC SQL INSERT INTO KINDS (ID, SMALL, WHOLE, LARGE, AMOUNT, SINGLE, TWICE, FIXED, VARYING, DAY, MOMENT, BITS, LONGTEXT)
        VALUES (:id, :small, :whole, :large, :amount, :single, :twice, :fixed, :varying, :day,
                '2026-11-26-23.59.58.123456', :bits, :text);
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 1);

    small = 0, whole = 0, large = 0, amount = 0, single = 0, twice = 0;
    memset(fixed, 'x', sizeof fixed);
    memset(&varying, 'x', sizeof varying);
    memset(day, 'x', sizeof day);
    memset(&bits, 'x', sizeof bits);
    memset(&text, 'x', sizeof text);
    EXEC SQL SELECT SMALL, WHOLE, LARGE, AMOUNT, SINGLE, TWICE, FIXED, VARYING, DAY, MOMENT, BITS, LONGTEXT
        INTO :small, :whole, :large, :amount, :single, :twice, :fixed, :varying, :day, :moment, :bits, :text
        FROM KINDS WHERE ID = :id;
    CHECK(SQLCODE == 0);
    CHECK(small == -12345 && whole == -1234567890 && large == -1234567890123456789LL);
    CHECK(amount == 1234567.25 && single == -0.5f && twice == 2.5e100);
    /* A column of fixed length comes with its blanks, and a binary zero behind them. */
    CHECK(strcmp(fixed, "ABC       ") == 0);
    CHECK(varying.len == 5 && memcmp(varying.data, "HELLO", 5) == 0);
    CHECK(strcmp(day, "2026-11-26") == 0 && strcmp(moment, "2026-11-26-23.59.58.123456") == 0);
    CHECK(bits.len == 3 && memcmp(bits.data, "\x00\xFF\x80", 3) == 0);
    CHECK(text.length == 4 && memcmp(text.data, "LONG", 4) == 0);

    /* Of a varying column, no blanks; a string that is cut says so. */
    EXEC SQL SELECT VARYING, SUBSTR(FIXED, 2, 1) INTO :longer, :one FROM KINDS WHERE ID = 1;
    CHECK(strcmp(longer, "HELLO") == 0 && one == 'B');
    {
        char narrow[4];
        short cut = -9;
        EXEC SQL SELECT VARYING INTO :narrow:cut FROM KINDS WHERE ID = 1;
        CHECK(SQLCODE == 0 && strcmp(narrow, "HEL") == 0 && cut == 5 && SQLWARN1 == 'W' && SQLWARN0 == 'W');
        EXEC SQL SELECT LARGE INTO :small INDICATOR :cut FROM KINDS WHERE ID = 1;
        CHECK(SQLCODE == 304 && cut == -2);
        /* Without a binary zero an input is no string. */
        memset(narrow, 'A', sizeof narrow);
        EXEC SQL UPDATE KINDS SET FIXED = :narrow WHERE ID = 1;
        CHECK(SQLCODE == -300 && memcmp(sqlca.sqlstate, "22024", 5) == 0);
    }
    EXEC SQL SELECT LONGTEXT INTO :handle FROM KINDS WHERE ID = 1;
    CHECK(SQLCODE == 0);
    EXEC SQL SET :text = SUBSTR(:handle, 2, 2);
    CHECK(SQLCODE == 0 && text.length == 2 && memcmp(text.data, "ON", 2) == 0);
    EXEC SQL FREE LOCATOR :handle;
    CHECK(SQLCODE == 0);
}

static void nulls_have_indicators(void)
{
    short indicator = -1, indicators[4] = { 9, 9, 9, 9 };
    struct { short first, second; } pair;
    int id = 2;
    ROW row = { 7, 8, 9, { 2, "AB" } };

    EXEC SQL INSERT INTO KINDS (ID, SMALL, WHOLE) VALUES (:id, :small:indicator, :whole INDICATOR :indicator);
    CHECK(SQLCODE == 0);
    EXEC SQL SELECT SMALL, WHOLE, LARGE, VARYING INTO :row:indicators FROM KINDS WHERE ID = :id;
    CHECK(SQLCODE == 0 && indicators[0] == -1 && indicators[1] == -1 && indicators[2] == -1 && indicators[3] == -1);
    CHECK(row.small == 7 && row.whole == 8 && row.large == 9 && row.varying.len == 2);
    EXEC SQL SELECT SMALL INTO :small FROM KINDS WHERE ID = :id;
    CHECK(SQLCODE == -305);
    EXEC SQL UPDATE KINDS SET SMALL = 5, LARGE = 6 WHERE ID = 2;
    EXEC SQL SELECT SMALL, WHOLE, LARGE, VARYING INTO :row:indicators FROM KINDS WHERE ID = 2;
    CHECK(row.small == 5 && row.large == 6 && indicators[0] == 0 && indicators[1] == -1 && indicators[2] == 0);
    EXEC SQL SELECT SMALL, WHOLE INTO :row.small:pair.first, :row.whole:pair.second FROM KINDS WHERE ID = 2;
    CHECK(SQLCODE == 0 && pair.first == 0 && pair.second == -1);
}

static void pointers_lead_to_variables(ROW *row, short *number, char (*name)[21], char parameter[21])
{
    ROW rows[2], *several[2] = { &rows[0], &rows[1] };
    struct { ROW *inner; short *count; } outer = { row, number };
    int n = 1;

    EXEC SQL SELECT SMALL, LARGE INTO :row->small, :row->large FROM KINDS WHERE ID = 2;
    CHECK(SQLCODE == 0 && row->small == 5 && row->large == 6);
    EXEC SQL SELECT SMALL + 1, 'POINTED', 'PARAMETER' INTO :*number, :*name, :parameter FROM KINDS WHERE ID = 2;
    CHECK(SQLCODE == 0 && *number == 6 && strcmp(*name, "POINTED") == 0 && strcmp(parameter, "PARAMETER") == 0);
    EXEC SQL SET :outer.inner->whole = 77, :*outer.count = 78, :rows[n].small = 79, :several[n]->whole = 80;
    CHECK(SQLCODE == 0 && row->whole == 77 && *number == 78 && rows[1].small == 79 && rows[1].whole == 80);
    EXEC SQL UPDATE KINDS SET WHOLE = :outer.inner->whole -1, AMOUNT = :*number * 2 WHERE ID = 2;
    EXEC SQL SELECT WHOLE, AMOUNT INTO :row->whole, :n FROM KINDS WHERE ID = 2;
    CHECK(SQLCODE == 0 && row->whole == 76 && n == 156);
}

int main(void)
{
    ROW row;
    short number;
    char name[21], parameter[21];

    values_come_back();
    nulls_have_indicators();
    pointers_lead_to_variables(&row, &number, &name, parameter);
    LAST("CSQLTYPE");
    return failures;
}
