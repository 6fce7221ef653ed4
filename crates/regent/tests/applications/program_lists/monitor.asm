* The performance records of the region have no group DFHRMI.
         DFHMCT TYPE=INITIAL,SUFFIX=A1,RMI=NO
         DFHMCT TYPE=FINAL
         END
