#include "CSQL.h"
#include <stddef.h>
EXEC SQL INCLUDE SQLCA;
EXEC SQL INCLUDE SQLDA;

/* As programs declare it that are compiled without Db2's coprocessor, too. */
typedef unsigned short sqldbchar;

EXEC SQL BEGIN DECLARE SECTION;
static struct { short len; sqldbchar data[10]; } varying;
static sqldbchar ended[11], one;
static wchar_t wide[6];
SQL TYPE IS BINARY(4) bits;
SQL TYPE IS VARBINARY(8) more;
SQL TYPE IS ROWID row;
SQL TYPE IS DBCLOB(20) pages;
SQL TYPE IS BLOB(1K) image;
SQL TYPE IS CLOB(1K) text;
SQL TYPE IS DBCLOB_LOCATOR pages_at;
SQL TYPE IS BLOB_LOCATOR image_at;
SQL TYPE IS CLOB_LOCATOR text_at, part_at;
EXEC SQL END DECLARE SECTION;

/* U+00E9, a letter with an accent; U+6F22, which is in no single-byte code page. */
#define ACCENTED 0x00E9
#define HAN 0x6F22

static void graphic(void)
{
    short cut = -9;
    int length;

    varying.len = 3;
    varying.data[0] = 0x0041;
    varying.data[1] = ACCENTED;
    varying.data[2] = HAN;
    EXEC SQL INSERT INTO WIDE (ID, G, V) VALUES (1, :varying, :varying);
    CHECK(SQLCODE == 0);
    memset(&varying, 0xFF, sizeof varying);
    EXEC SQL SELECT V, LENGTH(V) INTO :varying, :length FROM WIDE WHERE ID = 1;
    CHECK(SQLCODE == 0 && varying.len == 3 && length == 3);
    CHECK(varying.data[0] == 0x41 && varying.data[1] == ACCENTED && varying.data[2] == HAN);
    /* Strings that a double-byte zero ends: of a GRAPHIC column with its blanks. */
    EXEC SQL SELECT V, G, SUBSTR(V, 3, 1) INTO :ended, :wide, :one FROM WIDE WHERE ID = 1;
    CHECK(SQLCODE == 0 && ended[0] == 0x41 && ended[1] == ACCENTED && ended[2] == HAN && ended[3] == 0);
    CHECK(wide[0] == 0x41 && wide[2] == HAN && wide[3] == 0x20 && wide[4] == 0x20 && wide[5] == 0 && one == HAN);
    ended[2] = 0;
    EXEC SQL UPDATE WIDE SET V = :ended WHERE G = :wide;
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 1);
    EXEC SQL SELECT LENGTH(V), V INTO :length, :wide FROM WIDE WHERE V = :ended;
    CHECK(SQLCODE == 0 && length == 2 && wide[1] == ACCENTED && wide[2] == 0);
    {
        sqldbchar narrow[2] = { 1, 1 }, rows[3][4];
        EXEC SQL SELECT V INTO :narrow:cut FROM WIDE WHERE ID = 1;
        CHECK(SQLCODE == 0 && SQLWARN1 == 'W' && cut == 2 && narrow[0] == 0x41 && narrow[1] == 0);
        narrow[1] = 1;
        EXEC SQL UPDATE WIDE SET V = :narrow WHERE ID = 1;
        CHECK(SQLCODE == -300);
        EXEC SQL UPDATE WIDE SET V = :one WHERE ID = 1;
        CHECK(SQLCODE == 0);
        EXEC SQL DECLARE WIDTHS CURSOR WITH ROWSET POSITIONING FOR SELECT V FROM WIDE;
        EXEC SQL OPEN WIDTHS;
        EXEC SQL FETCH NEXT ROWSET FROM WIDTHS FOR 3 ROWS INTO :rows;
        CHECK(SQLCODE == 100 && sqlca.sqlerrd[2] == 1 && rows[0][0] == HAN && rows[0][1] == 0);
        EXEC SQL CLOSE WIDTHS;
    }
    EXEC SQL VALUES GX'00410042' INTO :ended;
    CHECK(SQLCODE == 0 && ended[0] == 0x41 && ended[1] == 0x42 && ended[2] == 0);
}

static void binary(void)
{
    int length;

    memcpy(bits, "\x00\x40\xFF\x01", 4);
    more.len = 2;
    memcpy(more.data, "\x00\x00", 2);
    EXEC SQL INSERT INTO WIDE (ID, B, W) VALUES (2, :bits, :more);
    CHECK(SQLCODE == 0);
    memset(bits, 'x', sizeof bits);
    memset(&more, 'x', sizeof more);
    EXEC SQL SELECT B, W, LENGTH(W), R INTO :bits, :more, :length, :row FROM WIDE WHERE B = :bits OR W = BX'0000';
    CHECK(SQLCODE == 0 && memcmp(bits, "\x00\x40\xFF\x01", 4) == 0);
    CHECK(more.len == 2 && length == 2 && memcmp(more.data, "\x00\x00", 2) == 0);
    CHECK(row.len > 0 && row.len <= 40);
    EXEC SQL SELECT ID INTO :length FROM WIDE WHERE R = :row;
    CHECK(SQLCODE == 0 && length == 2);
    EXEC SQL SELECT SUBSTR(B, 2, 2) INTO :more FROM WIDE WHERE ID = 2;
    CHECK(SQLCODE == 0 && more.len == 2 && memcmp(more.data, "\x40\xFF", 2) == 0);
    {
        /* Characters FOR BIT DATA in a string: its zeros are bytes like others. */
        char plain[6];
        short cut;
        EXEC SQL SELECT C INTO :plain FROM WIDE WHERE ID = 2;
        CHECK(SQLCODE == -305);
        EXEC SQL UPDATE WIDE SET C = X'C1C2' WHERE ID = 2;
        EXEC SQL SELECT C INTO :plain:cut FROM WIDE WHERE ID = 2;
        CHECK(SQLCODE == 0 && memcmp(plain, "\xC1\xC2", 3) == 0 && cut == 0);
    }
}

static void large(void)
{
    int length, at;
    char found[11];

    pages.length = 2;
    pages.data[0] = HAN;
    pages.data[1] = 0x42;
    image.length = 3;
    memcpy(image.data, "\x00\x01\xFF", 3);
    text.length = 10;
    memcpy(text.data, "0123456789", 10);
    EXEC SQL INSERT INTO WIDE (ID, D, I, T) VALUES (3, :pages, :image, :text);
    CHECK(SQLCODE == 0);
    memset(&pages, 0xFF, sizeof pages);
    memset(&image, 0xFF, sizeof image);
    EXEC SQL SELECT D, I, LENGTH(D) INTO :pages, :image, :length FROM WIDE WHERE ID = 3;
    CHECK(SQLCODE == 0 && length == 2 && pages.length == 2 && pages.data[0] == HAN && pages.data[1] == 0x42);
    CHECK(image.length == 3 && memcmp(image.data, "\x00\x01\xFF", 3) == 0);

    EXEC SQL SELECT D, I, T INTO :pages_at, :image_at, :text_at FROM WIDE WHERE ID = 3;
    CHECK(SQLCODE == 0);
    EXEC SQL SET :part_at = SUBSTR(:text_at, 4, 5), :at = POSSTR(:text_at, '56'), :length = LENGTH(:text_at);
    CHECK(SQLCODE == 0 && at == 6 && length == 10);
    EXEC SQL VALUES :part_at || '!' INTO :found;
    CHECK(SQLCODE == 0 && strcmp(found, "34567!") == 0);
    EXEC SQL SET :pages = SUBSTR(:pages_at, 2, 1), :image = SUBSTR(:image_at, 3, 1);
    CHECK(SQLCODE == 0 && pages.length == 1 && pages.data[0] == 0x42 && image.length == 1 && image.data[0] == 0xFF);
    EXEC SQL UPDATE WIDE SET T = :text_at || :part_at WHERE ID = 3;
    EXEC SQL SELECT T INTO :text FROM WIDE WHERE ID = 3;
    CHECK(SQLCODE == 0 && text.length == 15 && memcmp(text.data, "012345678934567", 15) == 0);
    EXEC SQL HOLD LOCATOR :text_at;
    CHECK(SQLCODE == 0);
    EXEC SQL FREE LOCATOR :part_at, :pages_at, :image_at;
    CHECK(SQLCODE == 0);
    EXEC SQL VALUES LENGTH(:part_at) INTO :length;
    CHECK(SQLCODE == -423);
}

/* Double-byte characters by an SQLDA, in the order of the machine outside structures. */
static void described(void)
{
    struct sqlda area = { "SQLDA   ", sizeof area, 1, 1 };
    sqldbchar buffer[11] = { 0 };
    char query[] = "SELECT V FROM WIDE WHERE V = ?";

    EXEC SQL PREPARE BY_WIDTH FROM :query;
    EXEC SQL DECLARE WIDTH CURSOR FOR BY_WIDTH;
    buffer[0] = HAN;
    area.sqlvar[0].sqltype = 400;
    area.sqlvar[0].sqllen = 11;
    area.sqlvar[0].sqldata = (char *)buffer;
    EXEC SQL OPEN WIDTH USING DESCRIPTOR :area;
    CHECK(SQLCODE == 0);
    buffer[0] = 0;
    EXEC SQL FETCH WIDTH USING DESCRIPTOR :area;
    CHECK(SQLCODE == 0 && buffer[0] == HAN && buffer[1] == 0);
    EXEC SQL CLOSE WIDTH;
}

int main(void)
{
    EXEC SQL DELETE FROM WIDE;
    graphic();
    described();
    binary();
    large();
    EXEC SQL DELETE FROM WIDE;
    LAST("CSQLWIDE");
    return failures;
}
