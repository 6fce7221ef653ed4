           MOVE 'LINE' TO WS-ITEM(WS-I)
           COMPUTE WS-PRICE(WS-I) = WS-I * 1.5.
