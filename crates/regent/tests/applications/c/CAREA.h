/* The communication area that C and COBOL share. */
#pragma pack(1)
struct area {
    short number;
    int full;
    long long doubleword;
    char name[8];
};
#pragma pack()
