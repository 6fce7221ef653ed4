#ifndef SQLDA_H
#define SQLDA_H
struct sqlname { short length; char data[30]; };
struct sqlvar {
    short sqltype;
    short sqllen;
    char *sqldata;
    short *sqlind;
    struct sqlname sqlname;
};
struct sqlvar2 {
    struct { long sqllonglen; char reserve1[4]; } len;
    char *sqldatalen;
    struct sqlname sqldatatype_name;
};
struct sqlda {
    char sqldaid[8];
    long sqldabc;
    short sqln;
    short sqld;
    struct sqlvar sqlvar[1];
};
#define SQLDASIZE(n) (sizeof(struct sqlda) + ((n) - 1) * sizeof(struct sqlvar))
#define SQLDOUBLED '2'
#define SETSQLDOUBLED(daptr, newvalue) (((daptr)->sqldaid[6] = (newvalue)))
#define GETSQLDOUBLED(daptr) ((daptr)->sqldaid[6] == SQLDOUBLED)
#define SQLDADOUBLED(daptr) GETSQLDOUBLED(daptr)
#define SQLDALONGLEN(daptr, n) (((struct sqlvar2 *)(&(daptr)->sqlvar[(daptr)->sqld + (n)]))->len.sqllonglen)
#define SETSQLDALONGLEN(daptr, n, length) (SQLDALONGLEN(daptr, n) = (length))
#define GETSQLDALONGLEN(daptr, n) SQLDALONGLEN(daptr, n)
#endif
