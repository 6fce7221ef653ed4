-- Comparisons of Db2 where the server's own are others: strings are equal but for trailing blanks, and a string beside a number is one.

-- A column and a string are equal but for trailing blanks. The server compares those of VARCHAR. In an index in the order of the characters'
-- codes, strings that differ only in them are neighbours; in another order the index finds the string as it is and without blanks. The
-- equality stands first, so that the planner expects as many rows as of that.
create or replace function db2.same(bpchar, bpchar) returns boolean language sql immutable parallel safe as 'select $1 = $2';
create or replace function db2.same(anyelement, anyelement) returns boolean language sql immutable parallel safe as 'select $1 = $2';
do $$ declare
    by_code boolean;
    others text;
    kind text;
begin
    select case coalesce(own.it ->> 'datlocprovider', 'c')
            when 'c' then own.it ->> 'datcollate' ~ '^(C|POSIX)([.]|$)'
            when 'b' then own.it ->> 'datlocale' in ('C', 'C.UTF-8')
            else false
        end into by_code
        from (select to_jsonb(pg_database) from pg_database where datname = current_database()) own(it);
    others := case when by_code then '$1::bpchar = $2::bpchar and $1 > rtrim($2) and $1 < rtrim($2) || ''!''' else '$1 = $2' end;
    foreach kind in array array['varchar', 'text'] loop
        execute format('create or replace function db2.same(%1$s, %1$s) returns boolean language sql immutable parallel safe as %2$L',
            kind, format('select $1 = rtrim($2) or (%s)', others));
    end loop;
end $$;

-- X'..' beside a column whose type only the server knows.
create or replace function db2.same(varchar, db2.hexadecimal) returns boolean language sql immutable parallel safe as
    'select db2.same($1, ($2).characters::varchar)';
create or replace function db2.same(text, db2.hexadecimal) returns boolean language sql immutable parallel safe as
    'select db2.same($1, ($2).characters)';
create or replace function db2.same(bpchar, db2.hexadecimal) returns boolean language sql immutable parallel safe as
    'select $1 = ($2).characters::bpchar';
create or replace function db2.same(bytea, db2.hexadecimal) returns boolean language sql immutable parallel safe as
    'select $1 = ($2).bytes';
create or replace function db2.same(bytea, bytea) returns boolean language sql immutable parallel safe as 'select $1 = $2';

-- Strings of two types; that of each is known only here.
do $$ declare
    left_ text;
    right_ text;
begin
    foreach left_ in array array['varchar', 'text', 'bpchar'] loop
        foreach right_ in array array['varchar', 'text', 'bpchar'] loop
            if left_ <> right_ then
                execute format('create or replace function db2.same(%1$s, %2$s) returns boolean language sql immutable parallel safe as %3$L',
                    left_, right_, format('select db2.same($1, $2::%s)', left_));
            end if;
        end loop;
    end loop;
end $$;

-- A value that compares without its trailing blanks, where no index serves.
create or replace function db2.padded(anyelement) returns anyelement language sql immutable parallel safe as 'select $1';
create or replace function db2.padded(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.padded(varchar) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.padded(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.padded(db2.hexadecimal) returns bpchar language sql immutable parallel safe as
    'select ($1).characters::bpchar';

-- A value beside a number: a string is converted (implicit cast to DECFLOAT).
create or replace function db2.beside_number(anyelement) returns anyelement language sql immutable parallel safe as 'select $1';
create or replace function db2.beside_number(varchar) returns numeric language sql immutable parallel safe as 'select db2.decfloat($1::text)';
create or replace function db2.beside_number(text) returns numeric language sql immutable parallel safe as 'select db2.decfloat($1)';
create or replace function db2.beside_number(bpchar) returns numeric language sql immutable parallel safe as
    'select db2.decfloat($1::text)';

-- Until version 8 the keys of db2.ebcdic had the trailing blanks of VARCHAR.
do $$ declare
    stale regclass;
begin
    if exists (select from db2.version where version < 9) then
        for stale in select distinct objid::regclass from pg_depend where classid = 'pg_class'::regclass
            and refclassid = 'pg_proc'::regclass and refobjid in ('db2.ebcdic(text)'::regprocedure, 'db2.ebcdic(varchar)'::regprocedure)
            and exists (select from pg_class where oid = objid and relkind = 'i')
        loop
            execute format('reindex index %s', stale);
        end loop;
    end if;
end $$;
