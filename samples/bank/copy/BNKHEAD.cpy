      *----------------------------------------------------------------
      * FILL THE HEADING OF A MAP. :MAP: IS THE MAP'S NAME
      *----------------------------------------------------------------
       FILL-HEADING.
           PERFORM GET-DATE-AND-TIME
           MOVE EIBTRNID       TO TRANO OF :MAP:
           MOVE WS-DATE        TO SDATEO OF :MAP:
           MOVE WS-TIME        TO STIMEO OF :MAP:
           MOVE CA-TELLER-ID   TO TELLERO OF :MAP:
           MOVE CA-TELLER-NAME TO TNAMEO OF :MAP:
           MOVE WS-MESSAGE     TO MSGO OF :MAP:.
