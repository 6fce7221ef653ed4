/* Stops at its commands only. */
int main(void)
{
    char text[7] = "COUNTED";
    int resp;

    EXEC CICS WRITEQ TS QUEUE("COUNTC")
              FROM(text) LENGTH(7) RESP(resp);
    text[0] = 'M';
    EXEC CICS DELETEQ TS QUEUE("COUNTC") RESP(resp);
    EXEC CICS READQ TS QUEUE("COUNTC") INTO(text) LENGTH(resp) RESP(resp);
    EXEC CICS SEND TEXT FROM(text) LENGTH(7) ERASE FREEKB;
    EXEC CICS RETURN;
}
