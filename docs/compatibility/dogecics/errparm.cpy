      * A member of KICKS that DOGEDEET copies and does not use.
