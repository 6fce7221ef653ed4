/* CALLed by COBOL: by value, by reference, an array; and calls COBOL in the same ways. */
#pragma linkage(CNUM, COBOL)
#pragma linkage(CBLNUM, COBOL)

struct pair {
    int left;
    char right[4];
};
extern int CBLNUM(int value, short *rows, long long, struct pair pair, const int *constants, short small, char kind);

int CNUM(int value, int *number, short rows[3], long long big, struct pair pair)
{
    static const int constants[2] = { 3, 4 };
    short copies[3];
    int sum;

    *number += value;
    rows[0] *= 2;
    rows[2] -= 10;
    copies[0] = rows[0], copies[1] = rows[1], copies[2] = rows[2];
    pair.left = 99;
    sum = CBLNUM(value + 1, copies, big + 5, pair, constants, -6 * 50, 'K');
    rows[1] = copies[1], rows[2] = copies[2];
    return sum;
}
