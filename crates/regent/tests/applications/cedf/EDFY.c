/* Its commands are shown. */
int main(void)
{
    EXEC CICS ASKTIME;
    EXEC CICS RETURN;
}
