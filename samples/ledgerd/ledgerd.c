/* ledgerd: the ledger, a resource manager with two phases that is a process of its own. It keeps balances of accounts.
 *
 *     cc -o ledgerd ledgerd.c -lpthread
 *     ./ledgerd DATA-DIRECTORY/resource-managers ledger
 *
 * It listens on a Unix socket of that name in that directory, and keeps its journal beside it. A request and a reply are each preceded by
 * their length (four bytes, the most significant first), and are lines of text in the code page of the region (IBM037):
 *
 *     ADD unit account amount    a change, in a unit of work; the reply is OK and the balance as the unit of work sees it
 *     PREPARE unit               what the unit of work has changed is in the journal, and can be committed and backed out
 *     COMMIT unit                prepared or not
 *     BACKOUT unit
 *     LIST                       the units of work that are prepared: their number in four digits, and their identifiers in 8 bytes each
 *     PING unit
 *
 * A unit of work that is not prepared ends with its connection. Invariant: the journal is on disk before a reply says that something is
 * prepared or committed.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { UNIT = 16, ACCOUNT = 8, ACCOUNTS_MAX = 1000, CHANGES_MAX = 1000, LISTED_MAX = 100, LINE = 128 };

static struct account { char name[ACCOUNT + 1]; long balance; } accounts[ACCOUNTS_MAX];
static struct change { char unit[UNIT + 1], account[ACCOUNT + 1]; long amount; int prepared, client; } changes[CHANGES_MAX];
static FILE *journal;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct account *account(const char *name)
{
    for (int at = 0; at < ACCOUNTS_MAX; at++) {
        if (accounts[at].name[0] == 0)
            strcpy(accounts[at].name, name);
        if (strcmp(accounts[at].name, name) == 0)
            return &accounts[at];
    }
    return NULL;
}

static struct change *add(const char *unit, const char *name, long amount, int prepared, int client)
{
    for (int at = 0; at < CHANGES_MAX; at++)
        if (changes[at].unit[0] == 0) {
            struct change *change = &changes[at];
            strcpy(change->unit, unit);
            strcpy(change->account, name);
            change->amount = amount;
            change->prepared = prepared;
            change->client = client;
            return change;
        }
    return NULL;
}

static void prepare(const char *unit)
{
    for (int at = 0; at < CHANGES_MAX; at++)
        if (strcmp(changes[at].unit, unit) == 0 && !changes[at].prepared) {
            changes[at].prepared = 1;
            fprintf(journal, "P %s %s %ld\n", unit, changes[at].account, changes[at].amount);
        }
}

static void end(const char *unit, int committed)
{
    for (int at = 0; at < CHANGES_MAX; at++)
        if (strcmp(changes[at].unit, unit) == 0) {
            if (committed)
                account(changes[at].account)->balance += changes[at].amount;
            changes[at].unit[0] = 0;
        }
}

static int harden(void)
{
    return fflush(journal) == 0 && fsync(fileno(journal)) == 0;
}

static void replay(const char *path)
{
    char line[LINE], unit[UNIT + 1], name[ACCOUNT + 1];
    long amount;
    FILE *old = fopen(path, "r");

    while (old != NULL && fgets(line, sizeof line, old) != NULL) {
        if (sscanf(line, "P %16s %8s %ld", unit, name, &amount) == 3)
            add(unit, name, amount, 1, -1);
        else if (sscanf(line, "C %16s", unit) == 1)
            end(unit, 1);
        else if (sscanf(line, "B %16s", unit) == 1)
            end(unit, 0);
    }
    if (old != NULL)
        fclose(old);
}

/* The units of work that are prepared: their number, and their identifiers behind it. */
static size_t list(char *reply, unsigned char *units)
{
    int count = 0;

    for (int at = 0; at < CHANGES_MAX && count < LISTED_MAX; at++) {
        uint64_t unit = strtoull(changes[at].unit, NULL, 16);
        int known = changes[at].unit[0] == 0 || !changes[at].prepared;
        for (int byte = 0; byte < 8; byte++)
            units[8 * count + byte] = (unsigned char)(unit >> (56 - 8 * byte));
        for (int before = 0; before < count && !known; before++)
            known = memcmp(units + 8 * before, units + 8 * count, 8) == 0;
        count += !known;
    }
    sprintf(reply, "%04d", count);
    return 8 * (size_t)count;
}

/* Carries a request out; the result is the length of what is not text, behind the reply. */
static size_t carry_out(int client, const char *request, char *reply, unsigned char *binary)
{
    char verb[9] = "", unit[UNIT + 1] = "", name[ACCOUNT + 1] = "";
    long amount = 0;
    int words = sscanf(request, "%8s %16s %8s %ld", verb, unit, name, &amount);

    strcpy(reply, "OK");
    if (strcmp(verb, "LIST") == 0)
        return list(reply, binary);
    if (strcmp(verb, "ADD") == 0 && words == 4) {
        struct account *of = account(name);
        if (of == NULL || add(unit, name, amount, 0, client) == NULL) {
            strcpy(reply, "FULL");
            return 0;
        }
        long balance = of->balance;
        for (int at = 0; at < CHANGES_MAX; at++)
            if (strcmp(changes[at].unit, unit) == 0 && strcmp(changes[at].account, name) == 0)
                balance += changes[at].amount;
        sprintf(reply, "OK %ld", balance);
    } else if (strcmp(verb, "PREPARE") == 0) {
        prepare(unit);
        if (!harden())
            strcpy(reply, "DISK");
    } else if (strcmp(verb, "COMMIT") == 0) {
        prepare(unit);
        fprintf(journal, "C %s\n", unit);
        if (harden())
            end(unit, 1);
        else
            strcpy(reply, "DISK");
    } else if (strcmp(verb, "BACKOUT") == 0) {
        fprintf(journal, "B %s\n", unit);
        end(unit, 0);
    } else if (strcmp(verb, "PING") != 0) {
        strcpy(reply, "WHAT");
    }
    return 0;
}

static int read_all(int client, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t part = read(client, (char *)bytes + done, length - done);
        if (part <= 0)
            return 0;
        done += (size_t)part;
    }
    return 1;
}

static size_t convert(iconv_t how, char *from, size_t length, char *to, size_t room)
{
    char *next = to;

    iconv(how, &from, &length, &next, &room);
    return (size_t)(next - to);
}

static void *serve(void *argument)
{
    int client = (int)(intptr_t)argument;
    iconv_t in = iconv_open("ISO-8859-1", "IBM037"), out = iconv_open("IBM037", "ISO-8859-1");
    uint32_t length;

    while (read_all(client, &length, sizeof length) && (length = ntohl(length)) < LINE) {
        char received[LINE], request[LINE] = "", reply[LINE], message[4 + LINE + 8 * LISTED_MAX];
        unsigned char binary[8 * LISTED_MAX + 8];

        if (!read_all(client, received, length))
            break;
        convert(in, received, length, request, sizeof request - 1);
        pthread_mutex_lock(&lock);
        size_t behind = carry_out(client, request, reply, binary);
        pthread_mutex_unlock(&lock);
        size_t text = convert(out, reply, strlen(reply), message + 4, LINE);
        memcpy(message + 4 + text, binary, behind);
        uint32_t total = htonl((uint32_t)(text + behind));
        memcpy(message, &total, sizeof total);
        if (write(client, message, 4 + text + behind) < 0)
            break;
    }
    pthread_mutex_lock(&lock);
    for (int at = 0; at < CHANGES_MAX; at++)
        if (changes[at].unit[0] != 0 && changes[at].client == client && !changes[at].prepared)
            changes[at].unit[0] = 0;
    pthread_mutex_unlock(&lock);
    iconv_close(in);
    iconv_close(out);
    close(client);
    return NULL;
}

int main(int argc, char *argv[])
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    char path[4096];

    if (argc != 3 || strlen(argv[2]) >= sizeof address.sun_path) {
        fprintf(stderr, "usage: ledgerd DIRECTORY NAME\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    umask(0077);
    mkdir(argv[1], 0700);
    /* The path of a socket is short, so the name is relative to the directory. */
    if (chdir(argv[1]) != 0) {
        perror(argv[1]);
        return 1;
    }
    snprintf(path, sizeof path, "%s.journal", argv[2]);
    replay(path);
    journal = fopen(path, "a");
    strcpy(address.sun_path, argv[2]);
    unlink(argv[2]);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (journal == NULL || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0) {
        perror(argv[2]);
        return 1;
    }
    printf("ledgerd: ready\n");
    fflush(stdout);
    for (;;) {
        pthread_t thread;
        int client = accept(listener, NULL, NULL);

        if (client >= 0 && pthread_create(&thread, NULL, serve, (void *)(intptr_t)client) == 0)
            pthread_detach(thread);
    }
}
