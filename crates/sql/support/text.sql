-- String functions. A function of a CHAR argument sees its trailing blanks.

create or replace function db2.concat(text, text) returns bpchar language sql immutable parallel safe as 'select ($1 || $2)::bpchar';
create or replace function db2.concat(bpchar, text) returns bpchar language sql immutable parallel safe as
    'select (db2.text($1) || $2)::bpchar';
create or replace function db2.concat(text, bpchar) returns bpchar language sql immutable parallel safe as
    'select ($1 || db2.text($2))::bpchar';
create or replace function db2.concat(bpchar, bpchar) returns bpchar language sql immutable parallel safe as
    'select (db2.text($1) || db2.text($2))::bpchar';
create or replace function db2.concat(bytea, bytea) returns bytea language sql immutable parallel safe as 'select $1 || $2';

create or replace function db2.upper(text) returns bpchar language sql immutable parallel safe as 'select upper($1)::bpchar';
create or replace function db2.upper(bpchar) returns bpchar language sql immutable parallel safe as 'select upper(db2.text($1))::bpchar';
create or replace function db2.lower(text) returns bpchar language sql immutable parallel safe as 'select lower($1)::bpchar';
create or replace function db2.lower(bpchar) returns bpchar language sql immutable parallel safe as 'select lower(db2.text($1))::bpchar';

-- LENGTH: characters of a string, bytes of anything else.
create or replace function db2.length(text) returns integer language sql immutable parallel safe as 'select length($1)';
create or replace function db2.length(bpchar) returns integer language sql immutable parallel safe as 'select length(db2.text($1))';
create or replace function db2.length(bytea) returns integer language sql immutable parallel safe as 'select octet_length($1)';
create or replace function db2.length(smallint) returns integer language sql immutable strict parallel safe as 'select 2';
create or replace function db2.length(integer) returns integer language sql immutable strict parallel safe as 'select 4';
create or replace function db2.length(bigint) returns integer language sql immutable strict parallel safe as 'select 8';
create or replace function db2.length(real) returns integer language sql immutable strict parallel safe as 'select 4';
create or replace function db2.length(double precision) returns integer language sql immutable strict parallel safe as 'select 8';
create or replace function db2.length(numeric) returns integer language sql immutable strict parallel safe as
    $$ select length(translate($1::text, '-.', '')) / 2 + 1 $$;
create or replace function db2.length(date) returns integer language sql immutable strict parallel safe as 'select 4';
create or replace function db2.length(time) returns integer language sql immutable strict parallel safe as 'select 3';
create or replace function db2.length(timestamp) returns integer language sql immutable strict parallel safe as 'select 10';

-- SUBSTR pads the string with blanks as far as a length asks for; a start or length that cannot be is an error.
create or replace function db2.substr(value text, start integer) returns bpchar language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or start > length(value) + 1 then
        perform db2.raise(-138, '22011');
    end if;
    return substr(value, start)::bpchar;
end $$;
create or replace function db2.substr(value text, start integer, count integer) returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or count < 0 then
        perform db2.raise(-138, '22011');
    end if;
    return rpad(substr(value, start, count), count)::bpchar;
end $$;
create or replace function db2.substr(value bpchar, start integer) returns bpchar language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or start > length(db2.text(value)) then
        perform db2.raise(-138, '22011');
    end if;
    return substr(db2.text(value), start)::bpchar;
end $$;
create or replace function db2.substr(value bpchar, start integer, count integer) returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or count < 0 or start + count - 1 > length(db2.text(value)) then
        perform db2.raise(-138, '22011');
    end if;
    return substr(db2.text(value), start, count)::bpchar;
end $$;
create or replace function db2.substr(value bytea, start integer) returns bytea language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or start > octet_length(value) + 1 then
        perform db2.raise(-138, '22011');
    end if;
    return substring(value from start);
end $$;
create or replace function db2.substr(value bytea, start integer, count integer) returns bytea
language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or count < 0 or start + count - 1 > octet_length(value) then
        perform db2.raise(-138, '22011');
    end if;
    return substring(value from start for count);
end $$;
-- SUBSTRING takes what there is.
create or replace function db2.substring(value text, start integer) returns bpchar language sql immutable parallel safe as
    'select substr($1, $2)::bpchar';
create or replace function db2.substring(value text, start integer, count integer) returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    if count < 0 then
        perform db2.raise(-138, '22011');
    end if;
    return substr(value, start, count)::bpchar;
end $$;
create or replace function db2.substring(value bpchar, start integer) returns bpchar language sql immutable parallel safe as
    'select db2.substring(db2.text($1), $2)';
create or replace function db2.substring(value bpchar, start integer, count integer) returns bpchar language sql immutable parallel safe as
    'select db2.substring(db2.text($1), $2, $3)';

create or replace function db2."left"(value text, count integer) returns bpchar language plpgsql immutable strict parallel safe as $$
begin
    if count < 0 then
        perform db2.raise(-138, '22011');
    end if;
    return rpad(value, count)::bpchar;
end $$;
create or replace function db2."left"(value bpchar, count integer) returns bpchar language sql immutable parallel safe as
    'select db2."left"(db2.text($1), $2)';
create or replace function db2."right"(value text, count integer) returns bpchar language plpgsql immutable strict parallel safe as $$
begin
    if count < 0 then
        perform db2.raise(-138, '22011');
    end if;
    return case when count > length(value) then rpad(value, count) else right(value, count) end::bpchar;
end $$;
create or replace function db2."right"(value bpchar, count integer) returns bpchar language sql immutable parallel safe as
    'select db2."right"(db2.text($1), $2)';

-- STRIP and TRIM. The side: BOTH, LEADING or TRAILING, or its first letter.
create or replace function db2.strip(value text, side text default 'B', stripped text default ' ') returns bpchar
language sql immutable parallel safe as $$
    select case upper(left($2, 1)) when 'L' then ltrim($1, $3) when 'T' then rtrim($1, $3) else btrim($1, $3) end::bpchar
$$;
create or replace function db2.strip(value bpchar, side text default 'B', stripped text default ' ') returns bpchar
language sql immutable parallel safe as 'select db2.strip(db2.text($1), $2, $3)';
create or replace function db2.strip(value bpchar, side text, stripped bpchar) returns bpchar
language sql immutable parallel safe as 'select db2.strip(db2.text($1), $2, db2.text($3))';
create or replace function db2.strip(value text, side text, stripped bpchar) returns bpchar
language sql immutable parallel safe as 'select db2.strip($1, $2, db2.text($3))';
create or replace function db2.ltrim(value text, stripped text default ' ') returns bpchar language sql immutable parallel safe as
    'select ltrim($1, $2)::bpchar';
create or replace function db2.ltrim(value bpchar, stripped text default ' ') returns bpchar language sql immutable parallel safe as
    'select ltrim(db2.text($1), $2)::bpchar';
create or replace function db2.rtrim(value text, stripped text default ' ') returns bpchar language sql immutable parallel safe as
    'select rtrim($1, $2)::bpchar';
create or replace function db2.rtrim(value bpchar, stripped text default ' ') returns bpchar language sql immutable parallel safe as
    'select rtrim(db2.text($1), $2)::bpchar';

-- LOCATE(search, source, start), POSSTR(source, search) and POSITION(search, source): 0 if it is not there.
create or replace function db2.locate(search text, source text) returns integer language sql immutable parallel safe as
    'select strpos($2, $1)';
create or replace function db2.locate(search text, source bpchar) returns integer language sql immutable parallel safe as
    'select strpos(db2.text($2), $1)';
create or replace function db2.locate(search text, source text, start integer) returns integer
language plpgsql immutable strict parallel safe as $$
declare
    found integer;
begin
    if start < 1 then
        perform db2.raise(-171, '42815', '3', 'LOCATE');
    end if;
    found := strpos(substr(source, start), search);
    return case when found = 0 then 0 else found + start - 1 end;
end $$;
create or replace function db2.locate(search text, source bpchar, start integer) returns integer
language sql immutable parallel safe as 'select db2.locate($1, db2.text($2), $3)';
create or replace function db2.posstr(source text, search text) returns integer language sql immutable parallel safe as
    'select strpos($1, $2)';
create or replace function db2.posstr(source bpchar, search text) returns integer language sql immutable parallel safe as
    'select strpos(db2.text($1), $2)';
create or replace function db2.position(search text, source text) returns integer language sql immutable parallel safe as
    'select strpos($2, $1)';
create or replace function db2.position(search text, source bpchar) returns integer language sql immutable parallel safe as
    'select strpos(db2.text($2), $1)';
-- LOCATE_IN_STRING(source, search, start, instance): a negative start searches backwards.
create or replace function db2.locate_in_string(source text, search text, start integer default 1, instance integer default 1)
returns integer language plpgsql immutable strict parallel safe as $$
declare
    at integer := case when start < 0 then length(source) + start + 1 else start end;
    left_over integer := instance;
begin
    if start = 0 or instance < 1 then
        perform db2.raise(-171, '42815', '3', 'LOCATE_IN_STRING');
    end if;
    while at between 1 and length(source) loop
        if substr(source, at, length(search)) = search then
            left_over := left_over - 1;
            if left_over = 0 then
                return at;
            end if;
        end if;
        at := at + sign(start)::integer;
    end loop;
    return 0;
end $$;

-- TRANSLATE(string, to, from, pad): the opposite order of PostgreSQL's.
create or replace function db2.translate(value text) returns bpchar language sql immutable parallel safe as 'select upper($1)::bpchar';
create or replace function db2.translate(value bpchar) returns bpchar language sql immutable parallel safe as
    'select upper(db2.text($1))::bpchar';
create or replace function db2.translate(value text, target text, source text, pad text default ' ') returns bpchar
language sql immutable parallel safe as $$
    select translate($1, $3, rpad($2, greatest(length($3), length($2)), case $4 when '' then ' ' else $4 end))::bpchar
$$;
create or replace function db2.translate(value bpchar, target text, source text, pad text default ' ') returns bpchar
language sql immutable parallel safe as 'select db2.translate(db2.text($1), $2, $3, $4)';

create or replace function db2.replace(value text, search text, replacement text default '') returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    if search = '' then
        perform db2.raise(-171, '42815', '2', 'REPLACE');
    end if;
    return replace(value, search, replacement)::bpchar;
end $$;
create or replace function db2.replace(value bpchar, search text, replacement text default '') returns bpchar
language sql immutable parallel safe as 'select db2.replace(db2.text($1), $2, $3)';
create or replace function db2.repeat(value text, count integer) returns bpchar language plpgsql immutable strict parallel safe as $$
begin
    if count < 0 then
        perform db2.raise(-171, '42815', '2', 'REPEAT');
    end if;
    return repeat(value, count)::bpchar;
end $$;
create or replace function db2.repeat(value bpchar, count integer) returns bpchar language sql immutable parallel safe as
    'select db2.repeat(db2.text($1), $2)';
create or replace function db2.space(integer) returns bpchar language sql immutable parallel safe as $$ select repeat(' ', $1)::bpchar $$;
create or replace function db2.insert(value text, start integer, count integer, inserted text) returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    if start < 1 or start > length(value) + 1 or count < 0 then
        perform db2.raise(-138, '22011');
    end if;
    return (substr(value, 1, start - 1) || inserted || substr(value, start + count))::bpchar;
end $$;
create or replace function db2.overlay(value text, inserted text, start integer, count integer) returns bpchar
language sql immutable parallel safe as 'select db2.insert($1, $3, $4, $2)';
create or replace function db2.overlay(value text, inserted text, start integer) returns bpchar
language sql immutable parallel safe as 'select db2.insert($1, $3, length($2), $2)';
create or replace function db2.lpad(value text, count integer, pad text default ' ') returns bpchar
language sql immutable parallel safe as 'select lpad($1, $2, $3)::bpchar';
create or replace function db2.lpad(value bpchar, count integer, pad text default ' ') returns bpchar
language sql immutable parallel safe as 'select lpad(db2.text($1), $2, $3)::bpchar';
create or replace function db2.rpad(value text, count integer, pad text default ' ') returns bpchar
language sql immutable parallel safe as 'select rpad($1, $2, $3)::bpchar';
create or replace function db2.rpad(value bpchar, count integer, pad text default ' ') returns bpchar
language sql immutable parallel safe as 'select rpad(db2.text($1), $2, $3)::bpchar';

-- HEX: the bytes of the value in its form on the host, in EBCDIC and packed decimal.
create or replace function db2.hex(bytea) returns bpchar language sql immutable parallel safe as
    $$ select upper(encode($1, 'hex'))::bpchar $$;
create or replace function db2.hex(text) returns bpchar language sql immutable parallel safe as 'select db2.hex(db2.to_ebcdic($1))';
create or replace function db2.hex(bpchar) returns bpchar language sql immutable parallel safe as
    'select db2.hex(db2.to_ebcdic(db2.text($1)))';
create or replace function db2.hex(smallint) returns bpchar language sql immutable parallel safe as 'select db2.hex(int2send($1))';
create or replace function db2.hex(integer) returns bpchar language sql immutable parallel safe as 'select db2.hex(int4send($1))';
create or replace function db2.hex(bigint) returns bpchar language sql immutable parallel safe as 'select db2.hex(int8send($1))';
create or replace function db2.hex(value numeric) returns bpchar language plpgsql immutable strict parallel safe as $$
declare
    digits text := translate(abs(value)::text, '.', '');
begin
    digits := digits || case when value < 0 then 'D' else 'C' end;
    return lpad(digits, (length(digits) + 1) / 2 * 2, '0')::bpchar;
end $$;
create or replace function db2.hex(date) returns bpchar language sql stable parallel safe as $$ select to_char($1, 'YYYYMMDD')::bpchar $$;
create or replace function db2.hex(time) returns bpchar language sql stable parallel safe as
    $$ select to_char($1::interval, 'HH24MISS')::bpchar $$;
create or replace function db2.hex(timestamp) returns bpchar language sql stable parallel safe as
    $$ select to_char($1, 'YYYYMMDDHH24MISSUS')::bpchar $$;

create or replace function db2.ascii(text) returns integer language sql immutable parallel safe as 'select ascii($1)';
create or replace function db2.unicode(text) returns integer language sql immutable parallel safe as 'select ascii($1)';
create or replace function db2.ascii_chr(integer) returns bpchar language sql immutable parallel safe as
    $$ select case when $1 between 2 and 255 then chr($1) when $1 = 1 then U&'\FDD1' when $1 = 0 then U&'\0001' end::bpchar $$;
create or replace function db2.ebcdic_chr(integer) returns bpchar language sql immutable parallel safe as
    $$ select db2.from_ebcdic(set_byte('\x00'::bytea, 0, $1))::bpchar $$;

create or replace function db2.soundex(value text) returns bpchar language plpgsql immutable strict parallel safe as $$
declare
    letters text := regexp_replace(upper(value), '[^A-Z]', '', 'g');
    code text := left(letters, 1);
    last text := translate(code, 'BFPVCGJKQSXZDTLMNR', '111122222222334556');
    digit text;
begin
    for at in 2 .. length(letters) loop
        digit := translate(substr(letters, at, 1), 'BFPVCGJKQSXZDTLMNRAEIOUYHW', '111122222222334556000000--');
        if digit not in ('0', '-') and digit <> last then
            code := code || digit;
        end if;
        if digit <> '-' then
            last := digit;
        end if;
    end loop;
    return rpad(code, 4, '0')::bpchar;
end $$;
create or replace function db2.difference(first text, second text) returns integer language sql immutable parallel safe as $$
    select count(*)::integer from generate_series(1, 4) at
    where substr(db2.soundex($1)::text, at, 1) = substr(db2.soundex($2)::text, at, 1)
$$;

-- X'..' for a column whose type only the server knows: bytes for binary data, characters of the program's code page for others.
do $$ begin
    if to_regtype('db2.hexadecimal') is null then
        create type db2.hexadecimal as (bytes bytea, characters text);
        create function db2.bytes_of(db2.hexadecimal) returns bytea language sql immutable parallel safe as 'select ($1).bytes';
        create function db2.characters_of(db2.hexadecimal) returns text language sql immutable parallel safe as 'select ($1).characters';
        create function db2.varchar_of(db2.hexadecimal) returns varchar language sql immutable parallel safe as 'select ($1).characters';
        create function db2.bpchar_of(db2.hexadecimal) returns bpchar language sql immutable parallel safe as 'select ($1).characters';
        create cast (db2.hexadecimal as bytea) with function db2.bytes_of(db2.hexadecimal) as assignment;
        create cast (db2.hexadecimal as text) with function db2.characters_of(db2.hexadecimal) as assignment;
        create cast (db2.hexadecimal as varchar) with function db2.varchar_of(db2.hexadecimal) as assignment;
        create cast (db2.hexadecimal as bpchar) with function db2.bpchar_of(db2.hexadecimal) as assignment;
    end if;
end $$;

-- A string that may be a date, time or timestamp of Db2, to be assigned to a column whose type only the server knows.
do $$ begin
    if to_regtype('db2.datetime_string') is null then
        create type db2.datetime_string as (characters text);
    end if;
end $$;
