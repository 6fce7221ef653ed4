/* Not XPLINK: its mode is that of its definition. */
int main(void)
{
    EXEC CICS RETURN;
}
