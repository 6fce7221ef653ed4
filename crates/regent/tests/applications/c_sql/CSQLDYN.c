#include "CSQL.h"
#include <stdlib.h>
EXEC SQL INCLUDE SQLCA;
EXEC SQL INCLUDE SQLDA;

/* Any query: described, with storage for what it describes. */
static int rows_of(char query[200], char *line)
{
    struct sqlda *area = (struct sqlda *)malloc(SQLDASIZE(10));
    int rows = 0;

    memcpy(area->sqldaid, "SQLDA   ", 8);
    area->sqldabc = SQLDASIZE(10);
    area->sqln = 10;
    EXEC SQL PREPARE ANY_QUERY FROM :query;
    if (SQLCODE != 0)
        return SQLCODE;
    EXEC SQL DESCRIBE ANY_QUERY INTO :*area;
    CHECK(SQLCODE == 0 && area->sqld == 3);
    for (int i = 0; i < area->sqld; i++) {
        area->sqlvar[i].sqldata = malloc(area->sqlvar[i].sqllen + 2);
        area->sqlvar[i].sqlind = malloc(sizeof(short));
    }
    EXEC SQL DECLARE ANY_ROWS CURSOR FOR ANY_QUERY;
    EXEC SQL OPEN ANY_ROWS;
    for (;;) {
        EXEC SQL FETCH ANY_ROWS USING DESCRIPTOR :*area;
        if (SQLCODE != 0)
            break;
        rows++;
        struct { short len; char data[20]; } *name = (void *)area->sqlvar[1].sqldata;
        line += sprintf(line, "%d %.*s %d;", *(int *)area->sqlvar[0].sqldata, name->len, name->data,
            *area->sqlvar[2].sqlind < 0 ? -1 : *(int *)area->sqlvar[2].sqldata);
    }
    CHECK(SQLCODE == 100);
    EXEC SQL CLOSE ANY_ROWS;
    return rows;
}

static void markers(void)
{
    struct sqlda area;
    char insert[60] = "INSERT INTO TOWN (NUMBER, NAME, PEOPLE) VALUES (?, ?, ?)";
    int number = 51;
    short unknown = -1;
    char name[20] = "WIEN";
    struct { short len; char data[80]; } text;
    struct { char sqldaid[8]; long sqldabc; short sqln, sqld; struct sqlvar sqlvar[3]; } inputs =
        { "SQLDA   ", sizeof inputs, 3, 3, { { 496, 4 }, { 460, sizeof name }, { 497, 4 } } };

    EXEC SQL PREPARE ADDING FROM :insert;
    CHECK(SQLCODE == 0);
    EXEC SQL EXECUTE ADDING USING :number, :name, :number:unknown;
    CHECK(SQLCODE == 0);
    number = 52;
    inputs.sqlvar[0].sqldata = (char *)&number;
    inputs.sqlvar[1].sqldata = name;
    inputs.sqlvar[2].sqldata = (char *)&number;
    inputs.sqlvar[2].sqlind = &unknown;
    unknown = 0;
    EXEC SQL EXECUTE ADDING USING DESCRIPTOR :inputs;
    CHECK(SQLCODE == 0);
    text.len = sprintf(text.data, "UPDATE TOWN SET NAME = 'GRAZ' WHERE NUMBER = %d", number);
    EXEC SQL EXECUTE IMMEDIATE :text;
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 1);
    EXEC SQL EXECUTE IMMEDIATE 'DELETE FROM TOWN WHERE NUMBER = 53';
    CHECK(SQLCODE == 100);
    area.sqln = 1;
    EXEC SQL DESCRIBE ADDING INTO :area;
    CHECK(SQLCODE == 0 && area.sqld == 0);
}

int main(void)
{
    char line[200] = "", query[200];

    EXEC SQL DELETE FROM TOWN;
    markers();
    strcpy(query, "SELECT NUMBER, NAME, PEOPLE FROM TOWN ORDER BY NUMBER");
    CHECK(rows_of(query, line) == 2);
    CHECK(strcmp(line, "51 WIEN -1;52 GRAZ 52;") == 0);
    strcpy(query, "SELECT NOTHING FROM TOWN");
    CHECK(rows_of(query, line) == -206);
    printf("%s\n", line);
    LAST("CSQLDYN");
    return failures;
}
