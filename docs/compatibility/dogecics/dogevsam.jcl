//DOGEVSM  JOB (BAL),'DOGEBANK VSAM',CLASS=A
//* The job that PYTHON/dogedcams.py makes, with records of our own, and with records as long as the programs' area for them: 75.
//* KICKS reads a record of 80 into an area of 75, which is LENGERR in CICS.
//DOGECAMS EXEC PGM=IDCAMS
//SYSPRINT DD   SYSOUT=*
//INDATA1  DD   DSN=DOGE.RECORDS,DISP=SHR
//SYSIN    DD *
 DEFINE CLUSTER (                    -
        NAME( DOGE.VSAM )            -
        VOLUME( PUB012 )             -
        INDEXED                      -
        KEYS( 10,0 )                 -
        RECORDSIZE ( 75,75 )         -
        RECORDS( 500 )               -
        UNIQUE                       -
        ) -
        DATA ( NAME(DOGE.VSAM.DATA)) -
        INDEX ( NAME(DOGE.VSAM.INDEX))
 IF LASTCC=0 THEN                    -
     REPRO INFILE(INDATA1)           -
     OUTDATASET(DOGE.VSAM)
/*
