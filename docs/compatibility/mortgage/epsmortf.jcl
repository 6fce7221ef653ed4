//EPSMORTF JOB
//* The repository has the layout of this file, but neither its definition nor its records.
//DEFINE   EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DEFINE CLUSTER (NAME(EPS.EPSMORTF) NONINDEXED -
    RECORDSIZE(56 56) TRACKS(1))
  REPRO INDATASET(EPS.RATES) OUTDATASET(EPS.EPSMORTF)
/*
