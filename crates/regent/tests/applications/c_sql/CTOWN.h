/* As DCLGEN makes it. */
EXEC SQL DECLARE TOWN TABLE (
    NUMBER INTEGER NOT NULL,
    NAME   VARCHAR(20) NOT NULL,
    PEOPLE INTEGER
);
struct town {
    long number;
    struct {
        short len;
        char data[20];
    } name;
    long people;
};
