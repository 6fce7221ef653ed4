/* A part of CSQLOWN. */
EXEC SQL INCLUDE SQLCA;

int TOWNS(int *count)
{
    EXEC SQL SELECT COUNT(*), 0 INTO :*count, :sqlca.sqlerrd[0] FROM TOWN;
    return sqlca.sqlcode;
}
