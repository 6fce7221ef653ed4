#include "CSQL.h"
#pragma linkage(dsntiar, OS)
EXEC SQL INCLUDE SQLCA;
EXEC SQL INCLUDE CTOWN;

#define LINES 8
#define LINE 132
struct messages { short length; char text[LINES][LINE]; };
extern short dsntiar(struct sqlca *area, struct messages *messages, int *line);

static void diagnostics(void)
{
    int code, conditions, rows;
    char state[6], more[2];
    struct { short len; char data[300]; } text;

    EXEC SQL UPDATE TOWN SET PEOPLE = PEOPLE + 1 WHERE NUMBER <= 2;
    EXEC SQL GET DIAGNOSTICS :rows = ROW_COUNT;
    CHECK(SQLCODE == 0 && rows == 2);
    EXEC SQL INSERT INTO TOWN (NUMBER, NAME) VALUES (1, 'TWICE');
    CHECK(SQLCODE == -803);
    EXEC SQL GET DIAGNOSTICS :conditions = NUMBER, :more = MORE;
    CHECK(SQLCODE == 0 && conditions == 1 && strcmp(more, "N") == 0);
    EXEC SQL INSERT INTO TOWN (NUMBER, NAME) VALUES (1, 'TWICE');
    EXEC SQL GET DIAGNOSTICS CONDITION 1 :code = DB2_RETURNED_SQLCODE, :state = RETURNED_SQLSTATE, :text = MESSAGE_TEXT;
    CHECK(SQLCODE == 0 && code == -803 && strcmp(state, "23505") == 0 && text.len > 40);
}

/* Rows that are not atomic: the bad one is told, the others are kept. */
static void several_rows(void)
{
    long numbers[4] = { 20, 1, 21, 22 };
    char names[4][21] = { "A", "B", "C", "D" };
    int count = 4, row, code, number;

    EXEC SQL INSERT INTO TOWN (NUMBER, NAME) VALUES (:numbers, :names) FOR :count ROWS NOT ATOMIC CONTINUE ON SQLEXCEPTION;
    CHECK(SQLCODE == -253);
    EXEC SQL GET DIAGNOSTICS :row = ROW_COUNT;
    CHECK(SQLCODE == 0 && row == 3);
    EXEC SQL INSERT INTO TOWN (NUMBER, NAME) VALUES (:numbers, :names) FOR 2 ROWS NOT ATOMIC CONTINUE ON SQLEXCEPTION;
    CHECK(SQLCODE == -254);
    EXEC SQL GET DIAGNOSTICS CONDITION 3 :code = DB2_RETURNED_SQLCODE, :row = DB2_ROW_NUMBER;
    CHECK(SQLCODE == 0 && code == -803 && row == 2);
    EXEC SQL DECLARE SOME_ROWS SENSITIVE STATIC SCROLL CURSOR WITH ROWSET POSITIONING FOR
        SELECT NUMBER, NAME FROM TOWN WHERE NUMBER >= 20 FOR UPDATE OF NAME;
    EXEC SQL OPEN SOME_ROWS;
    EXEC SQL FETCH FIRST ROWSET FROM SOME_ROWS FOR 3 ROWS INTO :numbers, :names;
    CHECK(SQLCODE == 0 && sqlca.sqlerrd[2] == 3 && strcmp(names[2], "D") == 0);
    EXEC SQL UPDATE TOWN SET NAME = 'SECOND' WHERE CURRENT OF SOME_ROWS FOR ROW 2 OF ROWSET;
    CHECK(SQLCODE == 0);
    number = 3;
    EXEC SQL DELETE FROM TOWN WHERE CURRENT OF SOME_ROWS FOR ROW :number OF ROWSET;
    CHECK(SQLCODE == 0);
    EXEC SQL FETCH ROWSET STARTING AT ABSOLUTE 2 FROM SOME_ROWS FOR 1 ROWS INTO :numbers, :names;
    CHECK(SQLCODE == 0 && numbers[0] == 21);
    EXEC SQL CLOSE SOME_ROWS;
    EXEC SQL SELECT COUNT(*), MAX(NAME) INTO :count, :names[0] FROM TOWN WHERE NUMBER >= 20;
    CHECK(SQLCODE == 0 && count == 2 && strcmp(names[0], "SECOND") == 0);
}

static void positioned(void)
{
    struct town town;

    EXEC SQL DECLARE ONE_BY_ONE CURSOR FOR SELECT NUMBER, NAME, PEOPLE FROM TOWN WHERE NUMBER >= 20 FOR UPDATE;
    EXEC SQL OPEN ONE_BY_ONE;
    for (;;) {
        short missing[3];
        EXEC SQL FETCH ONE_BY_ONE INTO :town:missing;
        if (SQLCODE != 0)
            break;
        if (town.number == 20)
            EXEC SQL UPDATE TOWN SET PEOPLE = 7 WHERE CURRENT OF ONE_BY_ONE;
        else
            EXEC SQL DELETE FROM TOWN WHERE CURRENT OF ONE_BY_ONE;
        CHECK(SQLCODE == 0);
    }
    CHECK(SQLCODE == 100);
    EXEC SQL DELETE FROM TOWN WHERE CURRENT OF ONE_BY_ONE;
    CHECK(SQLCODE == -508);
    EXEC SQL CLOSE ONE_BY_ONE;
    EXEC SQL SELECT NUMBER, PEOPLE INTO :town.number, :town.people FROM TOWN WHERE NUMBER >= 20;
    CHECK(SQLCODE == 0 && town.number == 20 && town.people == 7);
}

static void changes_that_answer(void)
{
    struct town town = { 30, { 4, "LINZ" }, 200000 };
    long numbers[3] = { 1, 30, 31 }, people[3] = { 5, 6, 7 };
    int count = 3;

    EXEC SQL SELECT NUMBER, NAME INTO :town.number, :town.name
        FROM FINAL TABLE (INSERT INTO TOWN (NUMBER, NAME, PEOPLE) VALUES (:town));
    CHECK(SQLCODE == 0 && town.number == 30 && town.name.len == 4);
    EXEC SQL SELECT PEOPLE INTO :town.people FROM OLD TABLE (DELETE FROM TOWN WHERE NUMBER = 30);
    CHECK(SQLCODE == 0 && town.people == 200000);
    EXEC SQL MERGE INTO TOWN AS T USING (VALUES (:numbers, :people) FOR :count ROWS) AS S (NUMBER, PEOPLE)
        ON T.NUMBER = S.NUMBER
        WHEN MATCHED THEN UPDATE SET PEOPLE = S.PEOPLE
        WHEN NOT MATCHED THEN INSERT (NUMBER, NAME, PEOPLE) VALUES (S.NUMBER, 'NEW', S.PEOPLE)
        NOT ATOMIC CONTINUE ON SQLEXCEPTION;
    CHECK(SQLCODE == 0);
    EXEC SQL SELECT COUNT(*), SUM(PEOPLE) INTO :count, :town.people FROM TOWN WHERE NUMBER IN (1, 30, 31);
    CHECK(SQLCODE == 0 && count == 3 && town.people == 18);
}

static void savepoints(void)
{
    int before, after;

    EXEC SQL SELECT COUNT(*) INTO :before FROM TOWN;
    EXEC SQL SAVEPOINT HERE ON ROLLBACK RETAIN CURSORS;
    CHECK(SQLCODE == 0);
    EXEC SQL DELETE FROM TOWN;
    EXEC SQL ROLLBACK TO SAVEPOINT HERE;
    CHECK(SQLCODE == 0);
    EXEC SQL RELEASE SAVEPOINT HERE;
    CHECK(SQLCODE == 0);
    EXEC SQL ROLLBACK TO SAVEPOINT HERE;
    CHECK(SQLCODE == -880);
    EXEC SQL SELECT COUNT(*) INTO :after FROM TOWN;
    CHECK(SQLCODE == 0 && before == after && before > 0);
}

static void values(void)
{
    int sum;
    short none = 0;
    char moment[27], name[21];

    EXEC SQL VALUES (1 + 2, 'A' || 'B') INTO :sum, :name;
    CHECK(SQLCODE == 0 && sum == 3 && strcmp(name, "AB") == 0);
    EXEC SQL SET :sum = :sum * 7, :moment = CURRENT TIMESTAMP, :name:none = NULL;
    CHECK(SQLCODE == 0 && sum == 21 && moment[4] == '-' && moment[26] == '\0' && none == -1);
    EXEC SQL SET :sum = (SELECT MAX(NUMBER) FROM TOWN);
    CHECK(SQLCODE == 0 && sum == 31);
    EXEC SQL CALL NOSUCHPROC(:sum);
    CHECK(SQLCODE == -440 && memcmp(sqlca.sqlstate, "42884", 5) == 0);
}

static void message(void)
{
    struct messages messages = { sizeof messages.text };
    int line = LINE;

    EXEC SQL INSERT INTO TOWN (NUMBER, NAME) VALUES (1, 'TWICE');
    CHECK(SQLCODE == -803);
    CHECK(dsntiar(&sqlca, &messages, &line) == 0);
    CHECK(memcmp(messages.text[0], " DSNT408I SQLCODE = -803, ERROR:", 32) == 0);
    CHECK(messages.length == sizeof messages.text && line == LINE);
    /* A line that is too short is its return code. */
    line = 20;
    CHECK(dsntiar(&sqlca, &messages, &line) == 8);
}

int main(void)
{
    EXEC SQL DELETE FROM TOWN;
    EXEC SQL INSERT INTO TOWN VALUES (1, 'OSLO', 1);
    EXEC SQL INSERT INTO TOWN VALUES (2, 'BERN', 2);
    CHECK(SQLCODE == 0);
    diagnostics();
    several_rows();
    positioned();
    changes_that_answer();
    savepoints();
    values();
    message();
    EXEC SQL DELETE FROM TOWN;
    LAST("CSQLMORE");
    return failures;
}
