/* Calls COBOL and C, by reference. */
#pragma linkage(CBLADD, COBOL)
#pragma linkage(CSUB, OS)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
    char name[8];
    int balance;
    short rate;
};
extern int CBLADD(struct account *account, int *number, short *small, const char *kind);
int CSUB(struct account *account, char *text);

int main(void)
{
    struct account account = { "MARY", 1000, 5 };
    struct account *pointer = &account;
    char text[9] = "", line[100];
    int number = 100000, first, second;
    short small = -3;

    EXEC CICS ADDRESS EIB(dfheiptr);
    first = CBLADD(&account, &number, &small,
                   "ADD");
    sprintf(line, "%.8s %d %d %d RC %d", account.name, account.balance, number, small, first);
    second = CSUB(pointer, text) + CSUB(&account, text);
    sprintf(line + strlen(line), " C %d %d %s", second, account.balance, text);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    if (dfheiptr->eibtrnid[3] == 'S') {
        printf("BEFORE STOP RUN\n");
        CBLADD(&account, &number, &small, "STO");
        printf("AFTER STOP RUN\n");
    }
    return 0;
}
