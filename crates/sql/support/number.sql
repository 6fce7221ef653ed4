-- Numbers: conversions that truncate as Db2's do, their texts, arithmetic.

-- The number in a string; -420 with the name of the function if there is none.
create or replace function db2.number(value text, name text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
    if value !~ '^ *[+-]? *([0-9]+[.]?[0-9]*|[.][0-9]+)(E[+-]?[0-9]{1,3})? *$' and
       value !~ '^ *[+-]? *([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]{1,3})? *$' then
        perform db2.raise(-420, '22018', name);
    end if;
    return replace(value, ' ', '')::numeric;
end $$;

create or replace function db2.smallint(smallint) returns smallint language sql immutable parallel safe as 'select $1';
create or replace function db2.smallint(integer) returns smallint language sql immutable parallel safe as 'select $1::smallint';
create or replace function db2.smallint(bigint) returns smallint language sql immutable parallel safe as 'select $1::smallint';
create or replace function db2.smallint(numeric) returns smallint language sql immutable parallel safe as 'select trunc($1)::smallint';
create or replace function db2.smallint(real) returns smallint language sql immutable parallel safe as 'select trunc($1)::smallint';
create or replace function db2.smallint(double precision) returns smallint language sql immutable parallel safe as
    'select trunc($1)::smallint';
create or replace function db2.smallint(text) returns smallint language sql immutable parallel safe as
    $$ select trunc(db2.number($1, 'SMALLINT'))::smallint $$;

create or replace function db2.integer(smallint) returns integer language sql immutable parallel safe as 'select $1::integer';
create or replace function db2.integer(integer) returns integer language sql immutable parallel safe as 'select $1';
create or replace function db2.integer(bigint) returns integer language sql immutable parallel safe as 'select $1::integer';
create or replace function db2.integer(numeric) returns integer language sql immutable parallel safe as 'select trunc($1)::integer';
create or replace function db2.integer(real) returns integer language sql immutable parallel safe as 'select trunc($1)::integer';
create or replace function db2.integer(double precision) returns integer language sql immutable parallel safe as
    'select trunc($1)::integer';
create or replace function db2.integer(text) returns integer language sql immutable parallel safe as
    $$ select trunc(db2.number($1, 'INTEGER'))::integer $$;

create or replace function db2.bigint(smallint) returns bigint language sql immutable parallel safe as 'select $1::bigint';
create or replace function db2.bigint(integer) returns bigint language sql immutable parallel safe as 'select $1::bigint';
create or replace function db2.bigint(bigint) returns bigint language sql immutable parallel safe as 'select $1';
create or replace function db2.bigint(numeric) returns bigint language sql immutable parallel safe as 'select trunc($1)::bigint';
create or replace function db2.bigint(real) returns bigint language sql immutable parallel safe as 'select trunc($1)::bigint';
create or replace function db2.bigint(double precision) returns bigint language sql immutable parallel safe as 'select trunc($1)::bigint';
create or replace function db2.bigint(text) returns bigint language sql immutable parallel safe as
    $$ select trunc(db2.number($1, 'BIGINT'))::bigint $$;
-- DECIMAL(value, precision, scale): decimal places are cut off, digits before the point are not.
create or replace function db2.decimal(value numeric, precision_ integer, scale_ integer default 0) returns numeric
language plpgsql immutable strict parallel safe as $$
begin
    if abs(value) >= ('1e' || (precision_ - scale_))::numeric then
        perform db2.raise(-413, '22003');
    end if;
    return trunc(value, scale_);
end $$;
create or replace function db2.decimal(value numeric) returns numeric language sql immutable parallel safe as 'select $1';
create or replace function db2.decimal(value double precision) returns numeric language sql immutable parallel safe as
    'select trunc($1::numeric)';
create or replace function db2.decimal(value double precision, precision_ integer, scale_ integer default 0) returns numeric
language sql immutable parallel safe as
    'select db2.decimal($1::numeric, $2, $3)';
create or replace function db2.decimal(value text, precision_ integer default 15, scale_ integer default 0) returns numeric
language sql immutable parallel safe as
    $$ select db2.decimal(db2.number($1, 'DECIMAL'), $2, $3) $$;
create or replace function db2.decimal(value text, precision_ integer, scale_ integer, point text) returns numeric
language sql immutable parallel safe as
    $$ select db2.decimal(replace($1, $4, '.'), $2, $3) $$;
create or replace function db2.double(numeric) returns double precision language sql immutable parallel safe as
    'select $1::double precision';
create or replace function db2.double(double precision) returns double precision language sql immutable parallel safe as 'select $1';
create or replace function db2.double(text) returns double precision language sql immutable parallel safe as
    $$ select db2.number($1, 'DOUBLE')::double precision $$;
create or replace function db2.real(numeric) returns real language sql immutable parallel safe as 'select $1::real';
create or replace function db2.real(double precision) returns real language sql immutable parallel safe as 'select $1::real';
create or replace function db2.real(text) returns real language sql immutable parallel safe as $$ select db2.number($1, 'REAL')::real $$;
-- DIGITS: without sign and point. A decimal number shows its precision only if it is given.
create or replace function db2.digits(smallint) returns bpchar language sql immutable parallel safe as
    $$ select lpad(abs($1::integer)::text, 5, '0')::bpchar $$;
create or replace function db2.digits(integer) returns bpchar language sql immutable parallel safe as
    $$ select lpad(abs($1::bigint)::text, 10, '0')::bpchar $$;
create or replace function db2.digits(bigint) returns bpchar language sql immutable parallel safe as
    $$ select lpad(abs($1::numeric)::text, 19, '0')::bpchar $$;
create or replace function db2.digits(numeric) returns bpchar language sql immutable parallel safe as
    $$ select translate(abs($1)::text, '.', '')::bpchar $$;
create or replace function db2.digits(value numeric, precision_ integer, scale_ integer) returns bpchar
language sql immutable parallel safe as
    $$ select lpad(translate(trunc(abs($1), $3)::text, '.', ''), $2, '0')::bpchar $$;
create or replace function db2.digits(text) returns bpchar language sql immutable parallel safe as
    $$ select translate(abs(db2.number($1, 'DIGITS'))::text, '.', '')::bpchar $$;
-- The text of numbers: a decimal number below one has no zero before its point, a floating-point number has an exponent.
create or replace function db2.number_text(value double precision) returns text language plpgsql immutable strict parallel safe as $$
declare
    mantissa text := split_part(ltrim(value::text, '-'), 'e', 1);
    exponent integer := coalesce(nullif(split_part(value::text, 'e', 2), ''), '0')::integer;
    whole text := split_part(mantissa, '.', 1);
    fraction text := split_part(mantissa, '.', 2);
    digits text := rtrim(ltrim(whole || fraction, '0'), '0');
begin
    if value = 0 then
        return '0E0';
    end if;
    exponent := exponent + case when whole = '0' then length(ltrim(fraction, '0')) - length(fraction) - 1 else length(whole) - 1 end;
    return case when value < 0 then '-' else '' end || left(digits, 1) || '.'
        || case when length(digits) > 1 then substr(digits, 2) else '0' end || 'E' || exponent;
end $$;
create or replace function db2.number_text(smallint) returns text language sql immutable parallel safe as 'select $1::text';
create or replace function db2.number_text(integer) returns text language sql immutable parallel safe as 'select $1::text';
create or replace function db2.number_text(bigint) returns text language sql immutable parallel safe as 'select $1::text';
create or replace function db2.number_text(numeric) returns text language sql immutable parallel safe as
    $$ select regexp_replace($1::text, '^(-?)0[.]', '\1.') $$;

create or replace function db2.char(smallint) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.number_text($1), 6)::bpchar';
create or replace function db2.char(integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.number_text($1), 11)::bpchar';
create or replace function db2.char(bigint) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.number_text($1), 20)::bpchar';
create or replace function db2.char(double precision) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.number_text($1), 24)::bpchar';
create or replace function db2.char(numeric) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.char(bytea) returns bytea language sql immutable parallel safe as 'select $1';
create or replace function db2.char(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.char(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.char(value text, length_ integer) returns bpchar language sql immutable parallel safe as
    'select rpad($1, $2)::bpchar';
create or replace function db2.char(value bpchar, length_ integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text($1), $2)::bpchar';

create or replace function db2.varchar(smallint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.varchar(integer) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.varchar(bigint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.varchar(numeric) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.varchar(double precision) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.varchar(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.varchar(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.varchar(value text, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left($1, $2)::bpchar';
create or replace function db2.varchar(value bpchar, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left(db2.text($1), $2)::bpchar';

create or replace function db2.clob(smallint) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.clob(integer) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.clob(bigint) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.clob(numeric) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.clob(double precision) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.clob(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.clob(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.clob(value text, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left($1, $2)::bpchar';
create or replace function db2.clob(value bpchar, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left(db2.text($1), $2)::bpchar';

create or replace function db2.graphic(smallint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.graphic(integer) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.graphic(bigint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.graphic(numeric) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.graphic(double precision) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.graphic(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.graphic(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.graphic(value text, length_ integer) returns bpchar language sql immutable parallel safe as
    'select rpad($1, $2)::bpchar';
create or replace function db2.graphic(value bpchar, length_ integer) returns bpchar language sql immutable parallel safe as
    'select rpad(db2.text($1), $2)::bpchar';

create or replace function db2.vargraphic(smallint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.vargraphic(integer) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.vargraphic(bigint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.vargraphic(numeric) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.vargraphic(double precision) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.vargraphic(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.vargraphic(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.vargraphic(value text, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left($1, $2)::bpchar';
create or replace function db2.vargraphic(value bpchar, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left(db2.text($1), $2)::bpchar';

create or replace function db2.dbclob(smallint) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.dbclob(integer) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.dbclob(bigint) returns bpchar language sql immutable parallel safe as 'select db2.number_text($1)::bpchar';
create or replace function db2.dbclob(numeric) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.dbclob(double precision) returns bpchar language sql immutable parallel safe as
    'select db2.number_text($1)::bpchar';
create or replace function db2.dbclob(text) returns bpchar language sql immutable parallel safe as 'select $1::bpchar';
create or replace function db2.dbclob(bpchar) returns bpchar language sql immutable parallel safe as 'select $1';
create or replace function db2.dbclob(value text, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left($1, $2)::bpchar';
create or replace function db2.dbclob(value bpchar, length_ integer) returns bpchar language sql immutable parallel safe as
    'select left(db2.text($1), $2)::bpchar';

create or replace function db2.blob(bytea) returns bytea language sql immutable parallel safe as 'select $1';
create or replace function db2.blob(text) returns bytea language sql immutable parallel safe as 'select db2.to_ebcdic($1)';
create or replace function db2.blob(value bytea, length_ integer) returns bytea language sql immutable parallel safe as
    'select substring($1 from 1 for $2)';
create or replace function db2.blob(value text, length_ integer) returns bytea language sql immutable parallel safe as
    'select substring(db2.to_ebcdic($1) from 1 for $2)';
create or replace function db2.binary(bytea) returns bytea language sql immutable parallel safe as 'select $1';
create or replace function db2.binary(text) returns bytea language sql immutable parallel safe as 'select db2.to_ebcdic($1)';
create or replace function db2.binary(value bytea, length_ integer) returns bytea language sql immutable parallel safe as
    'select substring($1 from 1 for $2)';
create or replace function db2.binary(value text, length_ integer) returns bytea language sql immutable parallel safe as
    'select substring(db2.to_ebcdic($1) from 1 for $2)';
create or replace function db2.varbinary(bytea) returns bytea language sql immutable parallel safe as 'select $1';
create or replace function db2.varbinary(text) returns bytea language sql immutable parallel safe as 'select db2.to_ebcdic($1)';
create or replace function db2.varbinary(value bytea, length_ integer) returns bytea language sql immutable parallel safe as
    'select substring($1 from 1 for $2)';
create or replace function db2.varbinary(value text, length_ integer) returns bytea language sql immutable parallel safe as
    'select substring(db2.to_ebcdic($1) from 1 for $2)';
-- Functions of numbers whose results have other types in Db2.
create or replace function db2.sqrt(double precision) returns double precision language sql immutable parallel safe as 'select sqrt($1)';
create or replace function db2.exp(double precision) returns double precision language sql immutable parallel safe as 'select exp($1)';
create or replace function db2.ln(double precision) returns double precision language sql immutable parallel safe as 'select ln($1)';
create or replace function db2.log10(double precision) returns double precision language sql immutable parallel safe as
    'select log($1::numeric)::double precision';
create or replace function db2.sin(double precision) returns double precision language sql immutable parallel safe as 'select sin($1)';
create or replace function db2.cos(double precision) returns double precision language sql immutable parallel safe as 'select cos($1)';
create or replace function db2.tan(double precision) returns double precision language sql immutable parallel safe as 'select tan($1)';
create or replace function db2.asin(double precision) returns double precision language sql immutable parallel safe as 'select asin($1)';
create or replace function db2.acos(double precision) returns double precision language sql immutable parallel safe as 'select acos($1)';
create or replace function db2.atan(double precision) returns double precision language sql immutable parallel safe as 'select atan($1)';
create or replace function db2.sinh(double precision) returns double precision language sql immutable parallel safe as 'select sinh($1)';
create or replace function db2.cosh(double precision) returns double precision language sql immutable parallel safe as 'select cosh($1)';
create or replace function db2.tanh(double precision) returns double precision language sql immutable parallel safe as 'select tanh($1)';
create or replace function db2.degrees(double precision) returns double precision language sql immutable parallel safe as
    'select degrees($1)';
create or replace function db2.radians(double precision) returns double precision language sql immutable parallel safe as
    'select radians($1)';
create or replace function db2.atan2(double precision, double precision) returns double precision language sql immutable parallel safe as
    'select atan2($2, $1)';
create or replace function db2.power(integer, integer) returns integer language sql immutable parallel safe as
    'select trunc(power($1::numeric, $2::numeric))::integer';
create or replace function db2.power(bigint, bigint) returns bigint language sql immutable parallel safe as
    'select trunc(power($1::numeric, $2::numeric))::bigint';
create or replace function db2.power(double precision, double precision) returns double precision language sql immutable parallel safe as
    'select power($1, $2)';
create or replace function db2.sign(integer) returns integer language sql immutable parallel safe as 'select sign($1)::integer';
create or replace function db2.ceiling(integer) returns integer language sql immutable parallel safe as 'select $1';
create or replace function db2.floor(integer) returns integer language sql immutable parallel safe as 'select $1';
create or replace function db2.abs(integer) returns integer language sql immutable parallel safe as 'select abs($1)';
create or replace function db2.mod(integer, integer) returns integer language sql immutable parallel safe as 'select mod($1, $2)';
create or replace function db2.round(value integer, places integer default 0) returns integer language sql immutable parallel safe as
    'select round($1::numeric, $2)::integer';
create or replace function db2.truncate(value integer, places integer default 0) returns integer language sql immutable parallel safe as
    'select trunc($1::numeric, $2)::integer';
create or replace function db2.sign(bigint) returns bigint language sql immutable parallel safe as 'select sign($1)::bigint';
create or replace function db2.ceiling(bigint) returns bigint language sql immutable parallel safe as 'select $1';
create or replace function db2.floor(bigint) returns bigint language sql immutable parallel safe as 'select $1';
create or replace function db2.abs(bigint) returns bigint language sql immutable parallel safe as 'select abs($1)';
create or replace function db2.mod(bigint, bigint) returns bigint language sql immutable parallel safe as 'select mod($1, $2)';
create or replace function db2.round(value bigint, places integer default 0) returns bigint language sql immutable parallel safe as
    'select round($1::numeric, $2)::bigint';
create or replace function db2.truncate(value bigint, places integer default 0) returns bigint language sql immutable parallel safe as
    'select trunc($1::numeric, $2)::bigint';
create or replace function db2.sign(numeric) returns numeric language sql immutable parallel safe as 'select sign($1)::numeric';
create or replace function db2.ceiling(numeric) returns numeric language sql immutable parallel safe as 'select ceiling($1)';
create or replace function db2.floor(numeric) returns numeric language sql immutable parallel safe as 'select floor($1)';
create or replace function db2.abs(numeric) returns numeric language sql immutable parallel safe as 'select abs($1)';
create or replace function db2.mod(numeric, numeric) returns numeric language sql immutable parallel safe as 'select mod($1, $2)';
create or replace function db2.round(value numeric, places integer default 0) returns numeric language sql immutable parallel safe as
    'select round($1, $2)';
create or replace function db2.truncate(value numeric, places integer default 0) returns numeric language sql immutable parallel safe as
    'select trunc($1, $2)';
create or replace function db2.sign(double precision) returns double precision language sql immutable parallel safe as
    'select sign($1)::double precision';
create or replace function db2.ceiling(double precision) returns double precision language sql immutable parallel safe as
    'select ceiling($1)';
create or replace function db2.floor(double precision) returns double precision language sql immutable parallel safe as
    'select floor($1)';
create or replace function db2.abs(double precision) returns double precision language sql immutable parallel safe as 'select abs($1)';
create or replace function db2.mod(double precision, double precision) returns double precision language sql immutable parallel safe as
    'select $1 - $2 * trunc($1 / $2)';
create or replace function db2.round(value double precision, places integer default 0) returns double precision
language sql immutable parallel safe as
    'select round($1::numeric, $2)::double precision';
create or replace function db2.truncate(value double precision, places integer default 0) returns double precision
language sql immutable parallel safe as
    'select trunc($1::numeric, $2)::double precision';
create or replace function db2.multiply_alt(numeric, numeric) returns numeric language sql immutable parallel safe as 'select $1 * $2';
create or replace function db2.bitand(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 & $2';
create or replace function db2.bitor(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 | $2';
create or replace function db2.bitxor(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 # $2';
create or replace function db2.bitandnot(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 & ~ $2';
create or replace function db2.bitnot(bigint) returns bigint language sql immutable parallel safe as 'select ~ $1';
-- Division. The decimal quotient has the given scale and is truncated.
create or replace function db2.divide(dividend numeric, divisor numeric, scale_ integer) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
    factor numeric := ('1e' || scale_)::numeric;
begin
    return round(div(dividend * factor, divisor) / factor, scale_);
end $$;
create or replace function db2.divide(smallint, smallint) returns smallint language sql immutable parallel safe as 'select $1 / $2';
create or replace function db2.divide(integer, integer) returns integer language sql immutable parallel safe as 'select $1 / $2';
create or replace function db2.divide(bigint, bigint) returns bigint language sql immutable parallel safe as 'select $1 / $2';
create or replace function db2.divide(numeric, numeric) returns numeric language sql immutable parallel safe as 'select $1 / $2';
create or replace function db2.divide(double precision, double precision) returns double precision language sql immutable parallel safe as
    'select $1 / $2';
-- Aggregates whose results have other types in Db2: the average of integers is an integer.
create or replace function db2.average_step(bigint[], bigint) returns bigint[] language sql immutable parallel safe as
    'select case when $2 is null then $1 else array[$1[1] + $2, $1[2] + 1] end';
create or replace function db2.average_combine(bigint[], bigint[]) returns bigint[] language sql immutable parallel safe as
    'select array[$1[1] + $2[1], $1[2] + $2[2]]';
create or replace function db2.average_integer(bigint[]) returns integer language sql immutable parallel safe as
    'select case when $1[2] > 0 then ($1[1] / $1[2])::integer end';
create or replace function db2.average_bigint(bigint[]) returns bigint language sql immutable parallel safe as
    'select case when $1[2] > 0 then $1[1] / $1[2] end';
create or replace function db2.average_step(numeric[], numeric) returns numeric[] language sql immutable parallel safe as
    'select case when $2 is null then $1 else array[$1[1] + $2, $1[2] + 1] end';
create or replace function db2.average_combine(numeric[], numeric[]) returns numeric[] language sql immutable parallel safe as
    'select array[$1[1] + $2[1], $1[2] + $2[2]]';
create or replace function db2.average_numeric(numeric[]) returns numeric language sql immutable parallel safe as
    'select case when $1[2] > 0 then $1[1] / $1[2] end';
create or replace function db2.average_step(double precision[], double precision) returns double precision[]
language sql immutable parallel safe as 'select case when $2 is null then $1 else array[$1[1] + $2, $1[2] + 1] end';
create or replace function db2.average_combine(double precision[], double precision[]) returns double precision[]
language sql immutable parallel safe as 'select array[$1[1] + $2[1], $1[2] + $2[2]]';
create or replace function db2.average_double(double precision[]) returns double precision language sql immutable parallel safe as
    'select case when $1[2] > 0 then $1[1] / $1[2] end';
create or replace function db2.average_step(bigint[], smallint) returns bigint[] language sql immutable parallel safe as
    'select case when $2 is null then $1 else array[$1[1] + $2, $1[2] + 1] end';
create or replace aggregate db2.avg(smallint) (sfunc = db2.average_step, stype = bigint[], initcond = '{0,0}',
    finalfunc = db2.average_integer, combinefunc = db2.average_combine, parallel = safe);
create or replace function db2.average_step(bigint[], integer) returns bigint[] language sql immutable parallel safe as
    'select case when $2 is null then $1 else array[$1[1] + $2, $1[2] + 1] end';
create or replace aggregate db2.avg(integer) (sfunc = db2.average_step, stype = bigint[], initcond = '{0,0}',
    finalfunc = db2.average_integer, combinefunc = db2.average_combine, parallel = safe);
create or replace aggregate db2.avg(bigint) (sfunc = db2.average_step, stype = bigint[], initcond = '{0,0}',
    finalfunc = db2.average_bigint, combinefunc = db2.average_combine, parallel = safe);
create or replace aggregate db2.avg(numeric) (sfunc = db2.average_step, stype = numeric[], initcond = '{0,0}',
    finalfunc = db2.average_numeric, combinefunc = db2.average_combine, parallel = safe);
create or replace aggregate db2.avg(double precision) (sfunc = db2.average_step, stype = double precision[], initcond = '{0,0}',
    finalfunc = db2.average_double, combinefunc = db2.average_combine, parallel = safe);
-- The greatest and least of several values; null if one of them is.
create or replace function db2.greatest(variadic "values" anycompatiblearray) returns anycompatible language sql immutable parallel safe as
    'select case when array_position($1, null) is null then max(item) end from unnest($1) item';
create or replace function db2.least(variadic "values" anycompatiblearray) returns anycompatible language sql immutable parallel safe as
    'select case when array_position($1, null) is null then min(item) end from unnest($1) item';
