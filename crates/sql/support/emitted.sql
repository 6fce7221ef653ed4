-- What the translator emits where Db2's operators, casts and aggregates differ from PostgreSQL's.

-- The text in the type of the first argument, as ebcdic() of that type: an operand beside a value whose type is not known.
create or replace function db2.ebcdic_as(text, text) returns text language sql immutable parallel safe as 'select db2.ebcdic($2)';
create or replace function db2.ebcdic_as(varchar, text) returns text language sql immutable parallel safe as 'select db2.ebcdic($2)';
create or replace function db2.ebcdic_as(bpchar, text) returns text language sql immutable parallel safe as 'select db2.ebcdic($2)';
create or replace function db2.ebcdic_as(smallint, text) returns numeric language sql immutable parallel safe as
    $$ select db2.number($2, 'DECIMAL') $$;
create or replace function db2.ebcdic_as(integer, text) returns numeric language sql immutable parallel safe as
    $$ select db2.number($2, 'DECIMAL') $$;
create or replace function db2.ebcdic_as(bigint, text) returns numeric language sql immutable parallel safe as
    $$ select db2.number($2, 'DECIMAL') $$;
create or replace function db2.ebcdic_as(real, text) returns numeric language sql immutable parallel safe as
    $$ select db2.number($2, 'DECIMAL') $$;
create or replace function db2.ebcdic_as(double precision, text) returns numeric language sql immutable parallel safe as
    $$ select db2.number($2, 'DECIMAL') $$;
create or replace function db2.ebcdic_as(numeric, text) returns numeric language sql immutable parallel safe as
    $$ select db2.number($2, 'DECIMAL') $$;
create or replace function db2.ebcdic_as(date, text) returns date language sql immutable parallel safe as 'select db2."date"($2)';
create or replace function db2.ebcdic_as(time, text) returns time language sql immutable parallel safe as 'select db2."time"($2)';
create or replace function db2.ebcdic_as(timestamp, text) returns timestamp language sql immutable parallel safe as
    'select db2."timestamp"($2)';
create or replace function db2.ebcdic_as(bytea, text) returns bytea language sql immutable parallel safe as 'select db2.to_ebcdic($2)';
-- The constant in the type of the first argument, where the server needs values of one type.
create or replace function db2.constant_as(text, text) returns text language sql immutable parallel safe as 'select $2';
create or replace function db2.constant_as(varchar, text) returns varchar language sql immutable parallel safe as 'select $2::varchar';
create or replace function db2.constant_as(bpchar, text) returns bpchar language sql immutable parallel safe as 'select $2::bpchar';
create or replace function db2.constant_as(date, text) returns date language sql immutable parallel safe as 'select db2."date"($2)';
create or replace function db2.constant_as(time, text) returns time language sql immutable parallel safe as 'select db2."time"($2)';
create or replace function db2.constant_as(timestamp, text) returns timestamp language sql immutable parallel safe as
    'select db2."timestamp"($2)';
create or replace function db2.constant_as(bytea, text) returns bytea language sql immutable parallel safe as 'select db2.to_ebcdic($2)';
do $$ declare
    kind text;
begin
    foreach kind in array array['smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric'] loop
        execute format('create or replace function db2.constant_as(%1$s, text) returns %1$s language sql immutable parallel safe as %2$L',
            kind, format('select db2.number($2, ''DECIMAL'')::%s', kind));
    end loop;
end $$;

-- A string in a format of Db2's dates, times and timestamps becomes what the column is that receives it.
do $$ declare
    target text;
    value text;
begin
    for target, value in values
        ('varchar', '($1).characters::varchar'), ('text', '($1).characters'), ('bpchar', '($1).characters::bpchar'),
        ('date', 'db2."date"(($1).characters)'), ('time', 'db2."time"(($1).characters)'),
        ('timestamp', 'db2."timestamp"(($1).characters)'), ('bytea', 'db2.to_ebcdic(($1).characters)')
    loop
        execute format('create or replace function db2.%1$s_of(db2.datetime_string) returns %1$s language sql immutable parallel safe as %2$L',
            target, 'select ' || value);
        if not exists (select from pg_cast where castsource = 'db2.datetime_string'::regtype and casttarget = target::regtype) then
            execute format('create cast (db2.datetime_string as %1$s) with function db2.%1$s_of(db2.datetime_string) as assignment', target);
        end if;
    end loop;
end $$;

-- CAST. Numbers are truncated; CHAR(n) and VARCHAR(n) cut strings, VARCHAR without a length keeps them.
create or replace function db2.to_char(smallint, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(smallint, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(integer, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(integer, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(bigint, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(bigint, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(numeric, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(numeric, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(double precision, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(double precision, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(text, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(text, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(bpchar, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(bpchar, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(date, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(date, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(time, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(time, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_char(timestamp, integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text(db2."varchar"($1)), $2)::bpchar';
create or replace function db2.to_varchar(timestamp, integer) returns bpchar language sql immutable parallel safe as
    'select case when $2 > 0 then left(db2.text(db2."varchar"($1)), $2)::bpchar else db2."varchar"($1) end';
create or replace function db2.to_decimal(numeric, integer, integer) returns numeric language sql immutable parallel safe as
    'select db2."decimal"($1, $2, $3)';
create or replace function db2.to_smallint(numeric) returns smallint language sql immutable parallel safe as 'select db2."smallint"($1)';
create or replace function db2.to_integer(numeric) returns integer language sql immutable parallel safe as 'select db2."integer"($1)';
create or replace function db2.to_bigint(numeric) returns bigint language sql immutable parallel safe as 'select db2."bigint"($1)';
create or replace function db2.to_decimal(double precision, integer, integer) returns numeric language sql immutable parallel safe as
    'select db2."decimal"($1, $2, $3)';
create or replace function db2.to_smallint(double precision) returns smallint language sql immutable parallel safe as
    'select db2."smallint"($1)';
create or replace function db2.to_integer(double precision) returns integer language sql immutable parallel safe as
    'select db2."integer"($1)';
create or replace function db2.to_bigint(double precision) returns bigint language sql immutable parallel safe as
    'select db2."bigint"($1)';
create or replace function db2.to_decimal(text, integer, integer) returns numeric language sql immutable parallel safe as
    'select db2."decimal"($1, $2, $3)';
create or replace function db2.to_smallint(text) returns smallint language sql immutable parallel safe as 'select db2."smallint"($1)';
create or replace function db2.to_integer(text) returns integer language sql immutable parallel safe as 'select db2."integer"($1)';
create or replace function db2.to_bigint(text) returns bigint language sql immutable parallel safe as 'select db2."bigint"($1)';
-- Operators between values whose types are not known.
create or replace function db2.add(smallint, smallint) returns smallint language sql immutable parallel safe as 'select $1 + $2';
create or replace function db2.subtract(smallint, smallint) returns smallint language sql immutable parallel safe as 'select $1 - $2';
create or replace function db2.add(integer, integer) returns integer language sql immutable parallel safe as 'select $1 + $2';
create or replace function db2.subtract(integer, integer) returns integer language sql immutable parallel safe as 'select $1 - $2';
create or replace function db2.add(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 + $2';
create or replace function db2.subtract(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 - $2';
create or replace function db2.add(numeric, numeric) returns numeric language sql immutable parallel safe as 'select $1 + $2';
create or replace function db2.subtract(numeric, numeric) returns numeric language sql immutable parallel safe as 'select $1 - $2';
create or replace function db2.add(real, real) returns real language sql immutable parallel safe as 'select $1 + $2';
create or replace function db2.subtract(real, real) returns real language sql immutable parallel safe as 'select $1 - $2';
create or replace function db2.add(double precision, double precision) returns double precision language sql immutable parallel safe as
    'select $1 + $2';
create or replace function db2.subtract(double precision, double precision) returns double precision
language sql immutable parallel safe as
    'select $1 - $2';
create or replace function db2.add(date, numeric) returns date language sql immutable parallel safe as 'select db2.add_duration($1, $2)';
create or replace function db2.add(numeric, date) returns date language sql immutable parallel safe as 'select db2.add_duration($2, $1)';
create or replace function db2.subtract(date, numeric) returns date language sql immutable parallel safe as
    'select db2.subtract_duration($1, $2)';
create or replace function db2.subtract(date, date) returns numeric language sql immutable parallel safe as
    'select db2.date_duration($1, $2)';
create or replace function db2.subtract(date, text) returns numeric language sql immutable parallel safe as
    'select db2.date_duration($1, db2."date"($2))';
create or replace function db2.subtract(text, date) returns numeric language sql immutable parallel safe as
    'select db2.date_duration(db2."date"($1), $2)';
create or replace function db2.add(time, numeric) returns time language sql immutable parallel safe as 'select db2.add_duration($1, $2)';
create or replace function db2.add(numeric, time) returns time language sql immutable parallel safe as 'select db2.add_duration($2, $1)';
create or replace function db2.subtract(time, numeric) returns time language sql immutable parallel safe as
    'select db2.subtract_duration($1, $2)';
create or replace function db2.subtract(time, time) returns numeric language sql immutable parallel safe as
    'select db2.time_duration($1, $2)';
create or replace function db2.subtract(time, text) returns numeric language sql immutable parallel safe as
    'select db2.time_duration($1, db2."time"($2))';
create or replace function db2.subtract(text, time) returns numeric language sql immutable parallel safe as
    'select db2.time_duration(db2."time"($1), $2)';
create or replace function db2.add(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.add_duration($1, $2)';
create or replace function db2.add(numeric, timestamp) returns timestamp language sql immutable parallel safe as
    'select db2.add_duration($2, $1)';
create or replace function db2.subtract(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.subtract_duration($1, $2)';
create or replace function db2.subtract(timestamp, timestamp) returns numeric language sql immutable parallel safe as
    'select db2.timestamp_duration($1, $2)';
create or replace function db2.subtract(timestamp, text) returns numeric language sql immutable parallel safe as
    'select db2.timestamp_duration($1, db2."timestamp"($2))';
create or replace function db2.subtract(text, timestamp) returns numeric language sql immutable parallel safe as
    'select db2.timestamp_duration(db2."timestamp"($1), $2)';
create or replace function db2.subtract(timestamp, date) returns numeric language sql immutable parallel safe as
    'select db2.timestamp_duration($1, $2)';
create or replace function db2.subtract(date, timestamp) returns numeric language sql immutable parallel safe as
    'select db2.timestamp_duration($1, $2)';
create or replace function db2.divide_decimal(numeric, numeric, integer) returns numeric language sql immutable parallel safe as
    'select db2.divide($1, $2, $3)';
-- MIN and MAX: characters in the order of EBCDIC.
create or replace function db2.later(text, text) returns text language sql immutable strict parallel safe as
    'select case when db2.ebcdic($1) >= db2.ebcdic($2) then $1 else $2 end';
create or replace function db2.later(bpchar, bpchar) returns bpchar language sql immutable strict parallel safe as
    'select case when db2.ebcdic($1) >= db2.ebcdic($2) then $1 else $2 end';
create or replace function db2.earlier(text, text) returns text language sql immutable strict parallel safe as
    'select case when db2.ebcdic($1) <= db2.ebcdic($2) then $1 else $2 end';
create or replace function db2.earlier(bpchar, bpchar) returns bpchar language sql immutable strict parallel safe as
    'select case when db2.ebcdic($1) <= db2.ebcdic($2) then $1 else $2 end';
create or replace aggregate db2.max(smallint) (sfunc = int2larger, stype = smallint, combinefunc = int2larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(integer) (sfunc = int4larger, stype = integer, combinefunc = int4larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(bigint) (sfunc = int8larger, stype = bigint, combinefunc = int8larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(real) (sfunc = float4larger, stype = real, combinefunc = float4larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(double precision) (sfunc = float8larger, stype = double precision, combinefunc = float8larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(numeric) (sfunc = numeric_larger, stype = numeric, combinefunc = numeric_larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(date) (sfunc = date_larger, stype = date, combinefunc = date_larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(time) (sfunc = time_larger, stype = time, combinefunc = time_larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(timestamp) (sfunc = timestamp_larger, stype = timestamp, combinefunc = timestamp_larger, sortop = >,
    parallel = safe);
create or replace aggregate db2.max(text) (sfunc = db2.later, stype = text, combinefunc = db2.later, parallel = safe);
create or replace aggregate db2.max(bpchar) (sfunc = db2.later, stype = bpchar, combinefunc = db2.later, parallel = safe);
create or replace aggregate db2.min(smallint) (sfunc = int2smaller, stype = smallint, combinefunc = int2smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(integer) (sfunc = int4smaller, stype = integer, combinefunc = int4smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(bigint) (sfunc = int8smaller, stype = bigint, combinefunc = int8smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(real) (sfunc = float4smaller, stype = real, combinefunc = float4smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(double precision) (sfunc = float8smaller, stype = double precision, combinefunc = float8smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(numeric) (sfunc = numeric_smaller, stype = numeric, combinefunc = numeric_smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(date) (sfunc = date_smaller, stype = date, combinefunc = date_smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(time) (sfunc = time_smaller, stype = time, combinefunc = time_smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(timestamp) (sfunc = timestamp_smaller, stype = timestamp, combinefunc = timestamp_smaller, sortop = <,
    parallel = safe);
create or replace aggregate db2.min(text) (sfunc = db2.earlier, stype = text, combinefunc = db2.earlier, parallel = safe);
create or replace aggregate db2.min(bpchar) (sfunc = db2.earlier, stype = bpchar, combinefunc = db2.earlier, parallel = safe);
-- SUM has the type of its argument.
create or replace function db2.sum_step(numeric, bigint) returns numeric language sql immutable parallel safe as
    'select case when $2 is null then $1 else coalesce($1, 0) + $2 end';
create or replace function db2.sum_step(double precision, real) returns double precision language sql immutable parallel safe as
    'select case when $2 is null then $1 else coalesce($1, 0) + $2 end';
create or replace aggregate db2.sum(smallint) (sfunc = int2_sum, stype = bigint, finalfunc = db2."integer", combinefunc = int8pl,
    parallel = safe);
create or replace aggregate db2.sum(integer) (sfunc = int4_sum, stype = bigint, finalfunc = db2."integer", combinefunc = int8pl,
    parallel = safe);
create or replace aggregate db2.sum(bigint) (sfunc = db2.sum_step, stype = numeric, finalfunc = db2."bigint", combinefunc = numeric_add,
    parallel = safe);
create or replace aggregate db2.sum(numeric) (sfunc = numeric_add, stype = numeric, combinefunc = numeric_add, parallel = safe);
create or replace aggregate db2.sum(real) (sfunc = db2.sum_step, stype = double precision, combinefunc = float8pl, parallel = safe);
create or replace aggregate db2.sum(double precision) (sfunc = float8pl, stype = double precision, combinefunc = float8pl, parallel = safe);

-- A number as an operand of a string function is cast to VARCHAR.
create or replace function db2.substr(numeric, integer) returns bpchar language sql immutable parallel safe as
    'select db2.substr(db2.number_text($1), $2)';
create or replace function db2.substr(numeric, integer, integer) returns bpchar language sql immutable parallel safe as
    'select db2.substr(db2.number_text($1), $2, $3)';
create or replace function db2.lpad(numeric, integer, text default ' ') returns bpchar language sql immutable parallel safe as
    'select db2.lpad(db2.number_text($1), $2, $3)';
create or replace function db2.rpad(numeric, integer, text default ' ') returns bpchar language sql immutable parallel safe as
    'select db2.rpad(db2.number_text($1), $2, $3)';
create or replace function db2.strip(numeric, text default 'B', text default ' ') returns bpchar language sql immutable parallel safe as
    'select db2.strip(db2.number_text($1), $2, $3)';
create or replace function db2.ltrim(numeric) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.rtrim(numeric) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2."left"(numeric, integer) returns bpchar language sql immutable parallel safe as
    'select db2."left"(db2.number_text($1), $2)';
create or replace function db2."right"(numeric, integer) returns bpchar language sql immutable parallel safe as
    'select db2."right"(db2.number_text($1), $2)';
create or replace function db2.replace(numeric, text, text) returns bpchar language sql immutable parallel safe as
    'select db2.replace(db2.number_text($1), $2, $3)';
create or replace function db2.concat(numeric, text) returns bpchar language sql immutable parallel safe as
    'select (db2.number_text($1) || $2)::bpchar';
create or replace function db2.concat(text, numeric) returns bpchar language sql immutable parallel safe as
    'select ($1 || db2.number_text($2))::bpchar';
create or replace function db2.concat(numeric, bpchar) returns bpchar language sql immutable parallel safe as
    'select (db2.number_text($1) || db2.text($2))::bpchar';
create or replace function db2.concat(bpchar, numeric) returns bpchar language sql immutable parallel safe as
    'select (db2.text($1) || db2.number_text($2))::bpchar';
create or replace function db2.concat(numeric, numeric) returns bpchar language sql immutable parallel safe as
    'select (db2.number_text($1) || db2.number_text($2))::bpchar';
create or replace function db2.locate(search text, source numeric) returns integer language sql immutable parallel safe as
    'select strpos(db2.number_text($2), $1)';
create or replace function db2.posstr(source numeric, search text) returns integer language sql immutable parallel safe as
    'select strpos(db2.number_text($1), $2)';

-- An assignment truncates decimal places that the column does not have, where PostgreSQL rounds. The scale of a column is looked up
-- when the statement is planned: null if the column is no exact number.
create or replace function db2.scale_of(table_ text, column_ text) returns integer language sql immutable parallel safe as $$
    select case when a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) then 0
        when a.atttypid = 'numeric'::regtype and a.atttypmod >= 4 then (a.atttypmod - 4) & 65535 end
    from pg_attribute a where a.attrelid = to_regclass($1) and a.attname = $2
$$;
create or replace function db2.fitted(numeric, table_ text, column_ text) returns numeric language sql immutable parallel safe as
    'select case when db2.scale_of($2, $3) is null then $1 else trunc($1, db2.scale_of($2, $3)) end';
create or replace function db2.fitted(double precision, table_ text, column_ text) returns double precision
language sql immutable parallel safe as $$
    select case when db2.scale_of($2, $3) is null then $1 else trunc($1::numeric, db2.scale_of($2, $3))::double precision end
$$;

-- Functions that later releases of Db2 brought.
create or replace function db2.seconds_between(timestamp, timestamp) returns bigint language sql immutable parallel safe as
    'select trunc(extract(epoch from $1 - $2) / 1)::bigint';
create or replace function db2.seconds_between(text, text) returns bigint language sql immutable parallel safe as
    'select db2.seconds_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.minutes_between(timestamp, timestamp) returns bigint language sql immutable parallel safe as
    'select trunc(extract(epoch from $1 - $2) / 60)::bigint';
create or replace function db2.minutes_between(text, text) returns bigint language sql immutable parallel safe as
    'select db2.minutes_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.hours_between(timestamp, timestamp) returns bigint language sql immutable parallel safe as
    'select trunc(extract(epoch from $1 - $2) / 3600)::bigint';
create or replace function db2.hours_between(text, text) returns bigint language sql immutable parallel safe as
    'select db2.hours_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.days_between(timestamp, timestamp) returns bigint language sql immutable parallel safe as
    'select trunc(extract(epoch from $1 - $2) / 86400)::bigint';
create or replace function db2.days_between(text, text) returns bigint language sql immutable parallel safe as
    'select db2.days_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.weeks_between(timestamp, timestamp) returns bigint language sql immutable parallel safe as
    'select trunc(extract(epoch from $1 - $2) / 604800)::bigint';
create or replace function db2.weeks_between(text, text) returns bigint language sql immutable parallel safe as
    'select db2.weeks_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.years_between(timestamp, timestamp) returns bigint language sql immutable parallel safe as
    'select trunc(db2.timestamp_duration($1, $2) / 10000000000)::bigint';
create or replace function db2.years_between(text, text) returns bigint language sql immutable parallel safe as
    'select db2.years_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.ymd_between(timestamp, timestamp) returns integer language sql immutable parallel safe as
    'select trunc(db2.timestamp_duration($1, $2) / 1000000)::integer';
create or replace function db2.ymd_between(text, text) returns integer language sql immutable parallel safe as
    'select db2.ymd_between(db2."timestamp"($1), db2."timestamp"($2))';
create or replace function db2.next_month(date) returns date language sql immutable parallel safe as 'select db2.last_day($1) + 1';
create or replace function db2.next_month(timestamp) returns date language sql immutable parallel safe as 'select db2.last_day($1) + 1';
create or replace function db2.next_month(text) returns date language sql immutable parallel safe as 'select db2.last_day($1) + 1';
create or replace function db2.second(timestamp, digits integer) returns numeric language sql immutable parallel safe as
    'select trunc(extract(second from $1), $2)';
create or replace function db2.second(time, digits integer) returns numeric language sql immutable parallel safe as
    'select trunc(extract(second from $1), $2)';
create or replace function db2.second(text, digits integer) returns numeric language sql immutable parallel safe as
    'select db2.second(db2."timestamp"($1), $2)';
create or replace function db2.timestampadd(unit integer, count integer, value timestamp) returns timestamp
language sql immutable parallel safe as $$
    select db2.checked($3 + $2 * case $1
        when 1 then interval '1 microsecond' when 2 then interval '1 second' when 4 then interval '1 minute'
        when 8 then interval '1 hour' when 16 then interval '1 day' when 32 then interval '7 days'
        when 64 then interval '1 month' when 128 then interval '3 months' when 256 then interval '1 year' end)
$$;
create or replace function db2.timestampadd(unit integer, count integer, value text) returns timestamp
language sql immutable parallel safe as 'select db2.timestampadd($1, $2, db2."timestamp"($3))';
create or replace function db2.compare_decfloat(numeric, numeric) returns smallint language sql immutable parallel safe as
    'select case when $1 = $2 then 0 when $1 < $2 then 1 else 2 end::smallint';
create or replace function db2.quantize(numeric, numeric) returns numeric language sql immutable parallel safe as
    'select round($1, scale($2))';
create or replace function db2.decfloat_format(value text, format text default '') returns numeric
language plpgsql immutable strict parallel safe as $$
begin
    return case when format = '' then db2.number(value, 'DECFLOAT_FORMAT') else to_number(value, format) end;
end $$;
create or replace function db2.rowid_of(bytea) returns bytea language sql immutable parallel safe as 'select $1';
create or replace function db2.btrim(text, text default ' ') returns bpchar language sql immutable parallel safe as
    'select btrim($1, $2)::bpchar';
create or replace function db2.char9(numeric) returns bpchar language sql immutable parallel safe as 'select $1::text::bpchar';
create or replace function db2.varchar9(numeric) returns bpchar language sql immutable parallel safe as 'select $1::text::bpchar';
create or replace function db2.character_length(text, unit text default 'CODEUNITS32') returns integer
language sql immutable parallel safe as $$
    select case upper($2) when 'OCTETS' then octet_length(convert_to($1, 'UTF8')) else length($1) end
$$;
create or replace function db2.character_length(bpchar, unit text default 'CODEUNITS32') returns integer
language sql immutable parallel safe as 'select db2.character_length(db2.text($1), $2)';
create or replace function db2.substring(text, integer, unit text) returns bpchar language sql immutable parallel safe as
    'select db2.substring($1, $2)';
create or replace function db2.substring(text, integer, integer, unit text) returns bpchar language sql immutable parallel safe as
    'select db2.substring($1, $2, $3)';
create or replace function db2.overlay(text, text, integer, unit text) returns bpchar language sql immutable parallel safe as
    'select db2.overlay($1, $2, $3)';
create or replace function db2.overlay(text, text, integer, integer, unit text) returns bpchar language sql immutable parallel safe as
    'select db2.overlay($1, $2, $3, $4)';
create or replace function db2.locate_in_string(text, text, integer, integer, unit text) returns integer
language sql immutable parallel safe as 'select db2.locate_in_string($1, $2, $3, $4)';
create or replace function db2."varchar"(text, integer, unit text) returns bpchar language sql immutable parallel safe as
    'select db2."varchar"($1, $2)';
create or replace function db2.ascii_str(value text) returns bpchar language plpgsql immutable strict parallel safe as $$
declare
    result text := '';
    character_ text;
begin
    foreach character_ in array regexp_split_to_array(value, '') loop
        result := result || case when character_ = '\' then '\\' when ascii(character_) < 128 then character_
            else '\' || upper(lpad(to_hex(ascii(character_)), 4, '0')) end;
    end loop;
    return result::bpchar;
end $$;
create or replace function db2.ebcdic_str(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.unicode_str(value text, unit text default 'UTF8') returns bpchar
language plpgsql immutable strict parallel safe as $$
declare
    result text := value;
    code text[];
begin
    for code in select regexp_matches(value, '\\([0-9A-Fa-f]{4})', 'g') loop
        result := replace(result, '\' || code[1], chr(('x' || code[1])::bit(16)::integer));
    end loop;
    return replace(result, '\\', '\')::bpchar;
end $$;
create or replace function db2.normalize_string(text) returns bpchar language sql immutable parallel safe as
    'select normalize($1, NFC)::bpchar';
create or replace function db2.ccsid_encoding(text) returns bpchar language plpgsql immutable strict parallel safe as $$
declare
    ccsid integer := db2.number($1, 'CCSID_ENCODING');
begin
    return case when ccsid in (37, 273, 277, 278, 280, 284, 285, 297, 500, 870, 871, 875, 1025, 1026, 1047, 1140, 1141, 1148) then 'EBCDIC'
        when ccsid in (437, 819, 850, 923, 1252) then 'ASCII' when ccsid in (367, 1200, 1208) then 'UNICODE' else 'CCSID UNKNOWN' end;
end $$;
create or replace function db2.getvariable(name text, otherwise text default null) returns text language sql stable parallel safe as $$
    select coalesce(nullif(current_setting('db2.' || lower(regexp_replace($1, '^.*[.]', '')), true), ''), $2)
$$;
create or replace function db2.varchar_bit_format(text, format text default '') returns bytea language sql immutable parallel safe as
    $$ select decode(replace($1, '-', ''), 'hex') $$;
create or replace function db2.hash_md5(bytea) returns bytea language sql immutable parallel safe as $$ select decode(md5($1), 'hex') $$;
create or replace function db2.hash_md5(text) returns bytea language sql immutable parallel safe as
    'select db2.hash_md5(db2.to_ebcdic($1))';
create or replace function db2.hash_sha256(bytea) returns bytea language sql immutable parallel safe as 'select sha256($1)';
create or replace function db2.hash_sha256(text) returns bytea language sql immutable parallel safe as
    'select sha256(db2.to_ebcdic($1))';

-- Regular expressions; the flags of Db2 (c, i, m, n, s, x) mean the same here but for m and s.
create or replace function db2.regular_flags(text) returns text language sql immutable parallel safe as
    $$ select translate(lower($1), 'ms', 'ws') $$;
create or replace function db2.regexp_like(value text, pattern text, start integer default 1, flags text default 'c') returns boolean
language plpgsql immutable strict parallel safe as $$
begin
    return regexp_like(substr(value, start), pattern, db2.regular_flags(flags));
end $$;
create or replace function db2.regexp_like(value text, pattern text, flags text) returns boolean
language sql immutable strict parallel safe as 'select db2.regexp_like($1, $2, 1, $3)';
create or replace function db2.regexp_count(value text, pattern text, start integer default 1, flags text default 'c') returns integer
language plpgsql immutable strict parallel safe as $$
begin
    return regexp_count(value, pattern, start, db2.regular_flags(flags));
end $$;
create or replace function db2.regexp_instr(value text, pattern text, start integer default 1, occurrence integer default 1,
    after integer default 0, flags text default 'c', group_ integer default 0) returns integer
language plpgsql immutable strict parallel safe as $$
begin
    return regexp_instr(value, pattern, start, occurrence, after, db2.regular_flags(flags), group_);
end $$;
create or replace function db2.regexp_replace(value text, pattern text, replacement text default '', start integer default 1,
    occurrence integer default 0, flags text default 'c') returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    return regexp_replace(value, pattern, regexp_replace(replacement, '\$(\d)', '\\\1', 'g'), start, occurrence,
        db2.regular_flags(flags))::bpchar;
end $$;
create or replace function db2.regexp_substr(value text, pattern text, start integer default 1, occurrence integer default 1,
    flags text default 'c', group_ integer default 0) returns bpchar
language plpgsql immutable strict parallel safe as $$
begin
    return regexp_substr(value, pattern, start, occurrence, db2.regular_flags(flags), group_)::bpchar;
end $$;

-- PREVIOUS VALUE FOR a sequence; -845 before the first NEXT VALUE.
create or replace function db2.previous_value(sequence_ text) returns bigint language plpgsql volatile strict parallel unsafe as $$
begin
    return currval(sequence_::regclass);
exception when object_not_in_prerequisite_state then
    perform db2.raise(-845, '51035', upper(sequence_));
end $$;
create or replace function db2.row_change_token(tid, xid) returns bigint language sql immutable parallel safe as
    'select $2::text::bigint';

-- CURRENT TIMESTAMP and CURRENT TIMEZONE.
create or replace function db2.now() returns timestamp language sql stable parallel safe as 'select statement_timestamp()::timestamp';
create or replace function db2.timezone() returns numeric language sql stable parallel safe as $$
    select trunc(extract(timezone from statement_timestamp()) / 3600) * 10000
        + trunc(extract(timezone from statement_timestamp())::integer % 3600 / 60) * 100
$$;
