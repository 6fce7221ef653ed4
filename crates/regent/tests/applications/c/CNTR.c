#pragma options(XPLINK)
#include <stdio.h>
#include <string.h>

static int counter = 7;
static char *names[] = { "ZERO", "ONE", "TWO" };

/* Each use has static of its own, also while others wait. */
int main(void)
{
    char line[60];
    int before = counter++;
    EXEC CICS DELAY FOR MILLISECS(50);
    sprintf(line, "COUNTER %d %d %s", before, counter, names[counter - 6]);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    return 0;
}
