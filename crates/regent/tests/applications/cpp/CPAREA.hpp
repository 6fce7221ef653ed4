_Packed struct area {
    char name[4];
    int number;
    short small, rows[2];
    char end;
};
