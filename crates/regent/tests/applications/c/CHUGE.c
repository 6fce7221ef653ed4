/* Its static storage, 1 GB, is more than a region ever has. */
int table[1 << 28];

int main(void)
{
    table[0] = 1;
    EXEC CICS SEND TEXT FROM("CHUGE RAN") LENGTH(9) ERASE;
    EXEC CICS RETURN;
}
