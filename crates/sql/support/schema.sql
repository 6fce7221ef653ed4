-- The support schema: what Db2 has and PostgreSQL has not. Installed once in a database, and again when its version changes.
--
-- Every statement may be repeated. A function whose result type changes is dropped first, never the schema: indexes rest on db2.ebcdic.
-- Functions are immutable where the result depends on the arguments alone, so that indexes can use them; those of one expression are
-- in SQL, so that the planner puts them in line. Strings are returned as bpchar: its comparison ignores trailing blanks, as Db2's does.

select pg_advisory_xact_lock(3706100);

create schema if not exists db2;
create schema if not exists sysibm;
grant usage on schema db2 to public;
grant usage on schema sysibm to public;

create table if not exists db2.version (version integer not null);
grant select on db2.version to public;

-- What a unit of work became that changed other resources too, and the statements of scripts that have been run.
create table if not exists db2.units_of_work (region text not null, unit bigint not null, outcome char(1) not null,
    time timestamptz not null default now(), primary key (region, unit));
-- The locations with prepared transactions whose outcome the row tells.
alter table db2.units_of_work add column if not exists locations text[];
create table if not exists db2.set_up (step text, statement text, executed timestamptz default now(), primary key (step, statement));

-- Names this database in the prepared transactions of other databases whose outcome it decides.
create table if not exists db2.identity (id text not null);
insert into db2.identity select md5(random()::text || clock_timestamp()::text || pg_backend_pid())
    where not exists (select from db2.identity);
grant select on db2.identity to public;

-- Raises an error that has an SQLCODE of its own. The tokens are those of its message.
create or replace function db2.raise(code integer, state text, variadic tokens text[]) returns void
language plpgsql volatile parallel safe as $$
begin
    raise exception using errcode = state, message = 'SQLCODE ' || code,
        detail = array_to_string(tokens, chr(31)), hint = 'SQLCODE=' || code;
end $$;

create or replace function db2.raise(code integer, state text) returns void language sql volatile parallel safe as
    'select db2.raise($1, $2, variadic array[]::text[])';

-- The characters of a string in the order of code page 037: each character becomes the one whose number is its EBCDIC code point. X'00',
-- which is U+0001 in the database, and X'01', which is U+FDD1, have the same place.
create or replace function db2.ebcdic_codes(text) returns text language sql immutable parallel safe as $$
    select translate($1,
        U&'\FDD1 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\0004\0005\0006\0007\0008\0009\000A\0014\0015'
            '\0016\0017\001A\001B!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\007F\0080\0081\0082\0083\0084\0085\0086\0087\0088\0089'
            '\008A\008B\008C\008D\008E\008F\0090\0091\0092\0093\0094\0095\0096\0097\0098\0099\009A\009B\009C\009D\009E\009F'
            '\00A0\00A1\00A2\00A3\00A4\00A5\00A6\00A7\00A8\00A9\00AA\00AB\00AC\00AD\00AE\00AF\00B0\00B1\00B2\00B3\00B4\00B5'
            '\00B7\00B8\00B9\00BA\00BB\00BC\00BD\00BE\00BF\00C0\00C1\00C2\00C3\00C4\00C5\00C6\00C7\00C8\00C9\00CA\00CB\00CC'
            '\00CD\00CE\00CF\00D0\00D1\00D2\00D3\00D4\00D5\00D6\00D7\00D8\00D9\00DA\00DB\00DC\00DD\00DE\00DF\00E0\00E1\00E2'
            '\00E3\00E4\00E5\00E6\00E7\00E8\00E9\00EA\00EB\00EC\00ED\00EE\00EF\00F0\00F1\00F2\00F3\00F4\00F5\00F6\00F7\00F8'
            '\00F9\00FA\00FB\00FC\00FD\00FE\00FF',
        U&'\0001@\00F0\00F1\00F2\00F3\00F4\00F5\00F6\00F7\00F8\00F9\00C1\00C2\00C3\00C4\00C5\00C6\00C7\00C8\00C9\00D1\00D2'
            '\00D3\00D4\00D5\00D6\00D7\00D8\00D9\00E2\00E3\00E4\00E5\00E6\00E7\00E8\00E9\0081\0082\0083\0084\0085\0086\0087'
            '\0088\0089\0091\0092\0093\0094\0095\0096\0097\0098\0099\00A2\00A3\00A4\00A5\00A6\00A7\00A8\00A97-./\0016\0005%'
            '<=2&?''Z\007F{[lP}M]\\Nk`Kaz^L~no|\00BA\00E0\00BB\00B0my\00C0O\00D0\00A1\0007 !"#$\0015\0006\0017()*+,\0009'
            '\000A\001B01\001A3456\000889:;\0004\0014>\00FFA\00AAJ\00B1\009F\00B2j\00B5\00BD\00B4\009A\008A_\00CA\00AF\00BC'
            '\0090\008F\00EA\00FA\00BE\00A0\00B3\009D\00DA\009B\008B\00B7\00B8\00B9\00ABdebfcg\009Ehtqrsxuvw\00ACi\00ED'
            '\00EE\00EB\00EF\00EC\00BF\0080\00FD\00FE\00FB\00FC\00AD\00AEYDEBFCG\009CHTQRSXUVW\008CI\00CD\00CE\00CB\00CF'
            '\00CC\00E1p\00DD\00DE\00DB\00DC\008D\008E\00DF') collate "C"
$$;
-- What strings compare and sort by: trailing blanks do not count.
create or replace function db2.ebcdic(text) returns text language sql immutable parallel safe as 'select db2.ebcdic_codes(rtrim($1))';
create or replace function db2.ebcdic(varchar) returns text language sql immutable parallel safe as
    'select db2.ebcdic_codes(rtrim($1::text))';
create or replace function db2.ebcdic(bpchar) returns text language sql immutable parallel safe as 'select db2.ebcdic_codes($1::text)';
create or replace function db2.ebcdic(anyelement) returns anyelement language sql immutable parallel safe as 'select $1';

-- The bytes of a string in code page 037, and the string of such bytes. X'00' and X'01' are not what the others are.
create or replace function db2.to_ebcdic_each(text) returns bytea language sql immutable parallel safe as $$
    select decode(string_agg(case c when U&'\0001' then '00' else encode(convert_to(db2.ebcdic_codes(c), 'LATIN1'), 'hex') end, '' order by n),
        'hex') from regexp_split_to_table($1, '') with ordinality s(c, n)
$$;
create or replace function db2.to_ebcdic(text) returns bytea language sql immutable parallel safe as $$
    select case when strpos($1, U&'\0001') = 0 then convert_to(db2.ebcdic_codes($1), 'LATIN1') else db2.to_ebcdic_each($1) end
$$;
create or replace function db2.from_ebcdic_plain(bytea) returns text language sql immutable parallel safe as $$
    select translate(convert_from($1, 'LATIN1'),
        U&'@\00F0\00F1\00F2\00F3\00F4\00F5\00F6\00F7\00F8\00F9\00C1\00C2\00C3\00C4\00C5\00C6\00C7\00C8\00C9\00D1\00D2'
            '\00D3\00D4\00D5\00D6\00D7\00D8\00D9\00E2\00E3\00E4\00E5\00E6\00E7\00E8\00E9\0081\0082\0083\0084\0085\0086\0087'
            '\0088\0089\0091\0092\0093\0094\0095\0096\0097\0098\0099\00A2\00A3\00A4\00A5\00A6\00A7\00A8\00A97-./\0016\0005%'
            '<=2&?''Z\007F{[lP}M]\\Nk`Kaz^L~no|\00BA\00E0\00BB\00B0my\00C0O\00D0\00A1\0007 !"#$\0015\0006\0017()*+,\0009'
            '\000A\001B01\001A3456\000889:;\0004\0014>\00FFA\00AAJ\00B1\009F\00B2j\00B5\00BD\00B4\009A\008A_\00CA\00AF\00BC'
            '\0090\008F\00EA\00FA\00BE\00A0\00B3\009D\00DA\009B\008B\00B7\00B8\00B9\00ABdebfcg\009Ehtqrsxuvw\00ACi\00ED'
            '\00EE\00EB\00EF\00EC\00BF\0080\00FD\00FE\00FB\00FC\00AD\00AEYDEBFCG\009CHTQRSXUVW\008CI\00CD\00CE\00CB\00CF'
            '\00CC\00E1p\00DD\00DE\00DB\00DC\008D\008E\00DF',
        U&' 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\0004\0005\0006\0007\0008\0009\000A\0014\0015'
            '\0016\0017\001A\001B!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\007F\0080\0081\0082\0083\0084\0085\0086\0087\0088\0089'
            '\008A\008B\008C\008D\008E\008F\0090\0091\0092\0093\0094\0095\0096\0097\0098\0099\009A\009B\009C\009D\009E\009F'
            '\00A0\00A1\00A2\00A3\00A4\00A5\00A6\00A7\00A8\00A9\00AA\00AB\00AC\00AD\00AE\00AF\00B0\00B1\00B2\00B3\00B4\00B5'
            '\00B7\00B8\00B9\00BA\00BB\00BC\00BD\00BE\00BF\00C0\00C1\00C2\00C3\00C4\00C5\00C6\00C7\00C8\00C9\00CA\00CB\00CC'
            '\00CD\00CE\00CF\00D0\00D1\00D2\00D3\00D4\00D5\00D6\00D7\00D8\00D9\00DA\00DB\00DC\00DD\00DE\00DF\00E0\00E1\00E2'
            '\00E3\00E4\00E5\00E6\00E7\00E8\00E9\00EA\00EB\00EC\00ED\00EE\00EF\00F0\00F1\00F2\00F3\00F4\00F5\00F6\00F7\00F8'
            '\00F9\00FA\00FB\00FC\00FD\00FE\00FF')
$$;

create or replace function db2.from_ebcdic_each(bytea) returns text language sql immutable parallel safe as $$
    select string_agg(case get_byte($1, n) when 0 then U&'\0001' when 1 then U&'\FDD1'
        else db2.from_ebcdic_plain(substring($1 from n + 1 for 1)) end, '' order by n) from generate_series(0, octet_length($1) - 1) n
$$;
create or replace function db2.from_ebcdic(bytea) returns text language sql immutable parallel safe as $$
    select case when position('\x00'::bytea in $1) = 0 and position('\x01'::bytea in $1) = 0 then db2.from_ebcdic_plain($1)
        else db2.from_ebcdic_each($1) end
$$;

-- The characters of a CHAR value with its trailing blanks, which the cast to text takes away.
create or replace function db2.text(bpchar) returns text language sql immutable parallel safe as 'select textin(bpcharout($1))';
create or replace function db2.text(text) returns text language sql immutable parallel safe as 'select $1';
