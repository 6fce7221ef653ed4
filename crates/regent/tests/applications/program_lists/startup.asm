* What runs while the region starts
         DFHPLT TYPE=INITIAL,SUFFIX=SI
         DFHPLT TYPE=ENTRY,PROGRAM=PLTSHOW
         DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM
         DFHPLT TYPE=ENTRY,PROGRAM=(PLTNONE,PLTBAD,                    X
               PLTSHOW)
         DFHPLT TYPE=FINAL
         END
