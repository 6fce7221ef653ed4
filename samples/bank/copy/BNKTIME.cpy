      *----------------------------------------------------------------
      * DATE AND TIME FOR THE HEADING AND FOR TIME STAMPS
      *----------------------------------------------------------------
       GET-DATE-AND-TIME.
           EXEC CICS ASKTIME ABSTIME(WS-ABSTIME) END-EXEC
           EXEC CICS FORMATTIME ABSTIME(WS-ABSTIME)
                     YYYYMMDD(WS-DATE) DATESEP('-')
                     TIME(WS-TIME) TIMESEP
           END-EXEC
           MOVE WS-DATE TO WS-TS-DATE
           MOVE WS-TIME TO WS-TS-TIME.
