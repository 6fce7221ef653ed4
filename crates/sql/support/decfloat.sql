-- DECFLOAT: decimal floating point of 16 or 34 significant digits, rounded half to even (SQL Reference, Numeric data types). The server's
-- numeric holds more digits than that and as large an exponent, so values are exact and results are rounded here.

create or replace function db2.decfloat(value numeric, digits integer) returns numeric language plpgsql immutable strict parallel safe as $$
declare
    excess integer;
    places integer;
    result numeric;
    unit numeric;
    rest numeric;
begin
    if digits not in (16, 34) then
        perform db2.raise(-171, '42815', '2', 'DECFLOAT');
    end if;
    if value in ('NaN', 'Infinity', '-Infinity') then
        return value;
    end if;
    excess := length(ltrim(replace(abs(value)::text, '.', ''), '0')) - digits;
    if excess <= 0 then
        return value;
    end if;
    places := scale(value) - excess;
    result := trunc(value, places);
    unit := ('1e' || -places)::numeric;
    rest := 2 * abs(value - result);
    if rest > unit or rest = unit and mod(div(abs(result), unit), 2) = 1 then
        result := result + sign(value) * unit;
    end if;
    return result;
end $$;
-- Most values have fewer digits, which their length tells.
create or replace function db2.decfloat(numeric) returns numeric language sql immutable parallel safe as
    'select case when length($1::text) <= 34 then $1 else db2.decfloat($1, 34) end';
create or replace function db2.decfloat(smallint) returns numeric language sql immutable parallel safe as 'select $1::numeric';
create or replace function db2.decfloat(integer) returns numeric language sql immutable parallel safe as 'select $1::numeric';
create or replace function db2.decfloat(bigint) returns numeric language sql immutable parallel safe as 'select $1::numeric';
create or replace function db2.decfloat(smallint, integer) returns numeric language sql immutable parallel safe as
    'select db2.decfloat($1::numeric, $2)';
create or replace function db2.decfloat(integer, integer) returns numeric language sql immutable parallel safe as
    'select db2.decfloat($1::numeric, $2)';
create or replace function db2.decfloat(bigint, integer) returns numeric language sql immutable parallel safe as
    'select db2.decfloat($1::numeric, $2)';
create or replace function db2.decfloat(double precision) returns numeric language sql immutable parallel safe as 'select $1::numeric';
create or replace function db2.decfloat(double precision, integer) returns numeric language sql immutable parallel safe as
    'select db2.decfloat($1::numeric, $2)';
-- A string may name the special values. A signalling NaN is a quiet one here.
create or replace function db2.decfloat_number(value text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
    return case upper(btrim(value))
        when 'INFINITY' then 'Infinity' when '+INFINITY' then 'Infinity' when '-INFINITY' then '-Infinity'
        when 'INF' then 'Infinity' when '+INF' then 'Infinity' when '-INF' then '-Infinity'
        when 'NAN' then 'NaN' when '+NAN' then 'NaN' when '-NAN' then 'NaN' when 'SNAN' then 'NaN'
        else db2.number(value, 'DECFLOAT') end;
end $$;

create or replace function db2.decfloat(text) returns numeric language sql immutable parallel safe as
    $$ select db2.decfloat(db2.decfloat_number($1)) $$;
create or replace function db2.decfloat(text, integer) returns numeric language sql immutable parallel safe as
    $$ select db2.decfloat(db2.decfloat_number($1), $2) $$;

-- How many digits the whole part has; less than one: how many zeros follow the point.
create or replace function db2.magnitude(numeric) returns integer language sql immutable strict parallel safe as
    $$ select case when abs($1) >= 1 then length(trunc(abs($1))::text)
        else length(ltrim(split_part(abs($1)::text, '.', 2), '0')) - scale($1) end $$;
-- A quotient of 34 digits. The server's own has as many digits behind the point as its operands, which may be none.
create or replace function db2.divide_decfloat(dividend numeric, divisor numeric) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
    -- Enough that the whole quotient has more than 34 digits.
    power integer;
    quotient numeric;
begin
    if dividend = 0 or divisor = 0 or dividend in ('NaN', 'Infinity', '-Infinity') or divisor in ('NaN', 'Infinity', '-Infinity') then
        return dividend / divisor;
    end if;
    power := 37 + db2.magnitude(divisor) - db2.magnitude(dividend);
    if power >= 0 then
        dividend := dividend * ('1e' || power)::numeric;
    else
        divisor := divisor * ('1e' || -power)::numeric;
    end if;
    quotient := div(dividend, divisor);
    -- A remainder decides between half and more than half.
    if quotient * divisor <> dividend then
        quotient := quotient * 10 + sign(quotient);
        power := power + 1;
    end if;
    return trim_scale(db2.decfloat((quotient || 'e' || -power)::numeric, 34));
end $$;
