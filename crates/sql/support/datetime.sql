-- Dates, times and timestamps: conversion in all of Db2's formats, durations, parts.

-- The argument if it is between 0001-01-01 and 9999-12-31; otherwise -183.
create or replace function db2.checked(value date) returns date language plpgsql immutable strict parallel safe as $$
begin
    if value < '0001-01-01' or value > '9999-12-31' then
        perform db2.raise(-183, '22008');
    end if;
    return value;
end $$;
create or replace function db2.checked(value timestamp) returns timestamp language plpgsql immutable strict parallel safe as $$
begin
    if value < '0001-01-01' or value >= '10000-01-01' then
        perform db2.raise(-183, '22008');
    end if;
    return value;
end $$;

-- A date of its parts; -181 with the text if they are out of range.
create or replace function db2.date_of(year_ integer, month_ integer, day_ integer, value text) returns date
language plpgsql immutable strict parallel safe as $$
begin
    if year_ < 1 or month_ not between 1 and 12 or day_ < 1
        or day_ > extract(day from make_date(year_, month_, 1) + interval '1 month' - interval '1 day') then
        perform db2.raise(-181, '22007', value);
    end if;
    return make_date(year_, month_, day_);
end $$;

-- The timestamp in a string: ISO with any separators, 14 digits, or a date alone.
create or replace function db2."timestamp"(value text) returns timestamp language plpgsql immutable strict parallel safe as $$
declare
    part text[];
begin
    part := regexp_match(value,
        '^(\d{4})-(\d{1,2})-(\d{1,2})[- T](\d{1,2})[.:](\d{2})(?:[.:](\d{2})(?:\.(\d{0,12}))?)? *$');
    if part is null then
        part := regexp_match(value, '^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{0,6}) *$');
    end if;
    if part is null then
        return db2.date(value);
    end if;
    if part[4]::integer > 24 or part[5]::integer > 59 or coalesce(part[6], '0')::integer > 59 then
        perform db2.raise(-181, '22007', value);
    end if;
    return db2.date_of(part[1]::integer, part[2]::integer, part[3]::integer, value)
        + make_interval(hours => part[4]::integer, mins => part[5]::integer, secs => coalesce(part[6], '0')::integer)
        + interval '1 microsecond' * rpad(left(coalesce(part[7], ''), 6), 6, '0')::integer;
end $$;

-- The date in a string: ISO and JIS, USA, EUR, year and day of the year, or a timestamp; -180 if it is none.
create or replace function db2.date(value text) returns date language plpgsql immutable strict parallel safe as $$
declare
    part text[];
begin
    part := regexp_match(value, '^ *(\d{4})-(\d{1,2})-(\d{1,2}) *$');
    if part is not null then
        return db2.date_of(part[1]::integer, part[2]::integer, part[3]::integer, value);
    end if;
    part := regexp_match(value, '^ *(\d{1,2})/(\d{1,2})/(\d{4}) *$');
    if part is not null then
        return db2.date_of(part[3]::integer, part[1]::integer, part[2]::integer, value);
    end if;
    part := regexp_match(value, '^ *(\d{1,2})\.(\d{1,2})\.(\d{4}) *$');
    if part is not null then
        return db2.date_of(part[3]::integer, part[2]::integer, part[1]::integer, value);
    end if;
    part := regexp_match(value, '^(\d{4})(\d{3}) *$');
    if part is not null and part[2]::integer between 1 and 366 then
        return db2.date_of(part[1]::integer, 1, 1, value) + (part[2]::integer - 1);
    end if;
    if value !~ '^\d{4}-\d{1,2}-\d{1,2}[- T]\d' and value !~ '^\d{14,20} *$' then
        perform db2.raise(-180, '22007', value);
    end if;
    return db2."timestamp"(value)::date;
end $$;

-- The time in a string: ISO and EUR, JIS, USA, or that of a timestamp.
create or replace function db2."time"(value text) returns time language plpgsql immutable strict parallel safe as $$
declare
    part text[];
    hour_ integer;
begin
    part := regexp_match(value, '^ *(\d{1,2})[.:](\d{2})(?:[.:](\d{2}))? *$');
    if part is not null then
        hour_ := part[1];
    else
        part := regexp_match(upper(value), '^ *(\d{1,2})(?::(\d{2}))? ?([AP])M *$');
        if part is null and value ~ '^\d{4}-' then
            return date_trunc('second', db2."timestamp"(value))::time;
        end if;
        if part is null then
            perform db2.raise(-180, '22007', value);
        end if;
        hour_ := part[1]::integer % 12 + case part[3] when 'P' then 12 else 0 end;
        if part[1]::integer > 12 then
            perform db2.raise(-181, '22007', value);
        end if;
        part[3] := '0';
    end if;
    if hour_ > 24 or coalesce(part[2], '0')::integer > 59 or coalesce(part[3], '0')::integer > 59 then
        perform db2.raise(-181, '22007', value);
    end if;
    return make_time(hour_, coalesce(part[2], '0')::integer, coalesce(part[3], '0')::integer);
end $$;

create or replace function db2.date(date) returns date language sql immutable parallel safe as 'select $1';
create or replace function db2.date(timestamp) returns date language sql immutable parallel safe as 'select $1::date';
create or replace function db2.date(numeric) returns date language sql immutable parallel safe as
    $$ select db2.checked(date '0001-01-01' + (trunc($1)::integer - 1)) $$;
create or replace function db2."time"(time) returns time language sql immutable parallel safe as 'select $1';
create or replace function db2."time"(timestamp) returns time language sql immutable parallel safe as
    $$ select date_trunc('second', $1)::time $$;
create or replace function db2."timestamp"(timestamp) returns timestamp language sql immutable parallel safe as 'select $1';
create or replace function db2."timestamp"(date) returns timestamp language sql immutable parallel safe as 'select $1::timestamp';
create or replace function db2."timestamp"(value timestamp, digits integer) returns timestamp language sql immutable parallel safe as
    $$ select date_trunc('second', $1) + trunc(extract(microsecond from $1) % 1000000, $2 - 6) * interval '1 microsecond' $$;
create or replace function db2."timestamp"(date, time) returns timestamp language sql immutable parallel safe as 'select $1 + $2';
create or replace function db2."timestamp"(text, text) returns timestamp language sql immutable parallel safe as
    'select db2.date($1) + db2."time"($2)';
create or replace function db2."timestamp"(text, time) returns timestamp language sql immutable parallel safe as
    'select db2.date($1) + $2';
create or replace function db2."timestamp"(date, text) returns timestamp language sql immutable parallel safe as
    'select $1 + db2."time"($2)';
create or replace function db2.timestamp_iso(date) returns timestamp language sql immutable parallel safe as 'select $1::timestamp';
create or replace function db2.timestamp_iso(timestamp) returns timestamp language sql immutable parallel safe as 'select $1';
create or replace function db2.timestamp_iso(text) returns timestamp language sql immutable parallel safe as 'select db2."timestamp"($1)';
-- The texts of dates and times. The format: ISO, USA, EUR, JIS, or LOCAL, which is ISO here.
create or replace function db2.char(date, format text default 'ISO') returns bpchar language sql stable parallel safe as
    $$ select to_char($1, case upper($2) when 'USA' then 'MM/DD/YYYY' when 'EUR' then 'DD.MM.YYYY' else 'YYYY-MM-DD' end)::bpchar $$;
create or replace function db2.char(time, format text default 'ISO') returns bpchar language sql stable parallel safe as
    $$ select to_char($1::interval, case upper($2)
        when 'USA' then case when $1 < '00:01' then 'HH24:MI AM' else 'HH12:MI AM' end when 'JIS' then 'HH24:MI:SS'
        else 'HH24.MI.SS' end)::bpchar $$;
create or replace function db2.char(timestamp) returns bpchar language sql stable parallel safe as
    $$ select to_char($1, 'YYYY-MM-DD-HH24.MI.SS.US')::bpchar $$;
create or replace function db2.varchar(date, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.varchar(time, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.varchar(timestamp) returns bpchar language sql stable parallel safe as 'select db2.char($1)';
create or replace function db2.clob(date, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.clob(time, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.clob(timestamp) returns bpchar language sql stable parallel safe as 'select db2.char($1)';
create or replace function db2.graphic(date, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.graphic(time, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.graphic(timestamp) returns bpchar language sql stable parallel safe as 'select db2.char($1)';
create or replace function db2.vargraphic(date, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.vargraphic(time, format text default 'ISO') returns bpchar language sql stable parallel safe as
    'select db2.char($1, $2)';
create or replace function db2.vargraphic(timestamp) returns bpchar language sql stable parallel safe as 'select db2.char($1)';
-- Parts. A number is a duration: yyyymmdd, hhmmss, or yyyymmddhhmmss with decimal places.
create or replace function db2.year(date) returns integer language sql immutable parallel safe as 'select extract(year from $1)::integer';
create or replace function db2.year(timestamp) returns integer language sql immutable parallel safe as
    'select extract(year from $1)::integer';
create or replace function db2.year(text) returns integer language sql immutable parallel safe as
    'select extract(year from db2."timestamp"($1))::integer';
create or replace function db2.year(numeric) returns integer language sql immutable parallel safe as
    'select (trunc(trunc(case when abs($1) < 100000000 then $1 else $1 / 1000000 end) / 10000))::integer';
create or replace function db2.month(date) returns integer language sql immutable parallel safe as
    'select extract(month from $1)::integer';
create or replace function db2.month(timestamp) returns integer language sql immutable parallel safe as
    'select extract(month from $1)::integer';
create or replace function db2.month(text) returns integer language sql immutable parallel safe as
    'select extract(month from db2."timestamp"($1))::integer';
create or replace function db2.month(numeric) returns integer language sql immutable parallel safe as
    'select (trunc(trunc(case when abs($1) < 100000000 then $1 else $1 / 1000000 end) / 100) % 100)::integer';
create or replace function db2.day(date) returns integer language sql immutable parallel safe as 'select extract(day from $1)::integer';
create or replace function db2.day(timestamp) returns integer language sql immutable parallel safe as
    'select extract(day from $1)::integer';
create or replace function db2.day(text) returns integer language sql immutable parallel safe as
    'select extract(day from db2."timestamp"($1))::integer';
create or replace function db2.day(numeric) returns integer language sql immutable parallel safe as
    'select (trunc(trunc(case when abs($1) < 100000000 then $1 else $1 / 1000000 end) / 1) % 100)::integer';
create or replace function db2.dayofmonth(date) returns integer language sql immutable parallel safe as
    'select extract(day from $1)::integer';
create or replace function db2.dayofmonth(timestamp) returns integer language sql immutable parallel safe as
    'select extract(day from $1)::integer';
create or replace function db2.hour(time) returns integer language sql immutable parallel safe as
    'select trunc(extract(hour from $1))::integer';
create or replace function db2.hour(timestamp) returns integer language sql immutable parallel safe as
    'select trunc(extract(hour from $1))::integer';
create or replace function db2.hour(text) returns integer language sql immutable parallel safe as
    'select trunc(extract(hour from db2."time"($1)))::integer';
create or replace function db2.hour(numeric) returns integer language sql immutable parallel safe as
    'select (trunc(trunc($1) / 10000) % 100)::integer';
create or replace function db2.minute(time) returns integer language sql immutable parallel safe as
    'select trunc(extract(minute from $1))::integer';
create or replace function db2.minute(timestamp) returns integer language sql immutable parallel safe as
    'select trunc(extract(minute from $1))::integer';
create or replace function db2.minute(text) returns integer language sql immutable parallel safe as
    'select trunc(extract(minute from db2."time"($1)))::integer';
create or replace function db2.minute(numeric) returns integer language sql immutable parallel safe as
    'select (trunc(trunc($1) / 100) % 100)::integer';
create or replace function db2.second(time) returns integer language sql immutable parallel safe as
    'select trunc(extract(second from $1))::integer';
create or replace function db2.second(timestamp) returns integer language sql immutable parallel safe as
    'select trunc(extract(second from $1))::integer';
create or replace function db2.second(text) returns integer language sql immutable parallel safe as
    'select trunc(extract(second from db2."time"($1)))::integer';
create or replace function db2.second(numeric) returns integer language sql immutable parallel safe as
    'select (trunc(trunc($1) / 1) % 100)::integer';
create or replace function db2.microsecond(timestamp) returns integer language sql immutable parallel safe as
    'select (extract(microsecond from $1)::integer % 1000000)';
create or replace function db2.microsecond(text) returns integer language sql immutable parallel safe as
    'select db2.microsecond(db2."timestamp"($1))';
create or replace function db2.microsecond(numeric) returns integer language sql immutable parallel safe as
    'select trunc(($1 - trunc($1)) * 1000000)::integer';
create or replace function db2.midnight_seconds(time) returns integer language sql immutable parallel safe as
    'select extract(epoch from $1)::integer';
create or replace function db2.midnight_seconds(timestamp) returns integer language sql immutable parallel safe as
    'select trunc(extract(epoch from $1::time))::integer';
create or replace function db2.midnight_seconds(text) returns integer language sql immutable parallel safe as
    'select extract(epoch from db2."time"($1))::integer';
-- Functions of the day; their argument is a date, a timestamp or a string of one.
create or replace function db2.days(date) returns integer language sql immutable parallel safe as
    $$ select ($1 - date '0001-01-01') + 1 $$;
create or replace function db2.days(timestamp) returns integer language sql immutable parallel safe as 'select db2.days($1::date)';
create or replace function db2.days(text) returns integer language sql immutable parallel safe as 'select db2.days(db2.date($1))';
create or replace function db2.dayofweek(date) returns integer language sql immutable parallel safe as
    'select extract(dow from $1)::integer + 1';
create or replace function db2.dayofweek(timestamp) returns integer language sql immutable parallel safe as
    'select db2.dayofweek($1::date)';
create or replace function db2.dayofweek(text) returns integer language sql immutable parallel safe as
    'select db2.dayofweek(db2.date($1))';
create or replace function db2.dayofweek_iso(date) returns integer language sql immutable parallel safe as
    'select extract(isodow from $1)::integer';
create or replace function db2.dayofweek_iso(timestamp) returns integer language sql immutable parallel safe as
    'select db2.dayofweek_iso($1::date)';
create or replace function db2.dayofweek_iso(text) returns integer language sql immutable parallel safe as
    'select db2.dayofweek_iso(db2.date($1))';
create or replace function db2.dayofyear(date) returns integer language sql immutable parallel safe as
    'select extract(doy from $1)::integer';
create or replace function db2.dayofyear(timestamp) returns integer language sql immutable parallel safe as
    'select db2.dayofyear($1::date)';
create or replace function db2.dayofyear(text) returns integer language sql immutable parallel safe as
    'select db2.dayofyear(db2.date($1))';
create or replace function db2.week(date) returns integer language sql immutable parallel safe as
    'select ((extract(doy from $1) - 1 + extract(dow from make_date(extract(year from $1)::integer, 1, 1)))::integer / 7) + 1';
create or replace function db2.week(timestamp) returns integer language sql immutable parallel safe as 'select db2.week($1::date)';
create or replace function db2.week(text) returns integer language sql immutable parallel safe as 'select db2.week(db2.date($1))';
create or replace function db2.week_iso(date) returns integer language sql immutable parallel safe as
    'select extract(week from $1)::integer';
create or replace function db2.week_iso(timestamp) returns integer language sql immutable parallel safe as
    'select db2.week_iso($1::date)';
create or replace function db2.week_iso(text) returns integer language sql immutable parallel safe as 'select db2.week_iso(db2.date($1))';
create or replace function db2.quarter(date) returns integer language sql immutable parallel safe as
    'select extract(quarter from $1)::integer';
create or replace function db2.quarter(timestamp) returns integer language sql immutable parallel safe as 'select db2.quarter($1::date)';
create or replace function db2.quarter(text) returns integer language sql immutable parallel safe as 'select db2.quarter(db2.date($1))';
create or replace function db2.julian_day(date) returns integer language sql immutable parallel safe as
    'select extract(julian from $1)::integer';
create or replace function db2.julian_day(timestamp) returns integer language sql immutable parallel safe as
    'select db2.julian_day($1::date)';
create or replace function db2.julian_day(text) returns integer language sql immutable parallel safe as
    'select db2.julian_day(db2.date($1))';
create or replace function db2.last_day(date) returns date language sql immutable parallel safe as
    $$ select (date_trunc('month', $1::timestamp) + interval '1 month' - interval '1 day')::date $$;
create or replace function db2.last_day(timestamp) returns date language sql immutable parallel safe as 'select db2.last_day($1::date)';
create or replace function db2.last_day(text) returns date language sql immutable parallel safe as 'select db2.last_day(db2.date($1))';
-- Labelled durations: value + n unit. Months end where the month ends.
create or replace function db2.add_years(date, numeric) returns date language sql immutable parallel safe as
    'select db2.checked(($1 + make_interval(years => trunc($2)::integer))::date)';
create or replace function db2.add_years(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.checked($1 + make_interval(years => trunc($2)::integer))';
create or replace function db2.add_years(text, numeric) returns date language sql immutable parallel safe as
    'select db2.add_years(db2.date($1), $2)';
create or replace function db2.add_months(date, numeric) returns date language sql immutable parallel safe as
    'select db2.checked(($1 + make_interval(months => trunc($2)::integer))::date)';
create or replace function db2.add_months(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.checked($1 + make_interval(months => trunc($2)::integer))';
create or replace function db2.add_months(text, numeric) returns date language sql immutable parallel safe as
    'select db2.add_months(db2.date($1), $2)';
create or replace function db2.add_days(date, numeric) returns date language sql immutable parallel safe as
    'select db2.checked(($1 + make_interval(days => trunc($2)::integer))::date)';
create or replace function db2.add_days(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.checked($1 + make_interval(days => trunc($2)::integer))';
create or replace function db2.add_days(text, numeric) returns date language sql immutable parallel safe as
    'select db2.add_days(db2.date($1), $2)';
create or replace function db2.add_hours(time, numeric) returns time language sql immutable parallel safe as
    $$ select $1 + interval '1 hour' * trunc($2)::double precision $$;
create or replace function db2.add_hours(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    $$ select db2.checked($1 + interval '1 hour' * trunc($2)::double precision) $$;
create or replace function db2.add_hours(text, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.add_hours(db2."timestamp"($1), $2)';
create or replace function db2.add_minutes(time, numeric) returns time language sql immutable parallel safe as
    $$ select $1 + interval '1 minute' * trunc($2)::double precision $$;
create or replace function db2.add_minutes(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    $$ select db2.checked($1 + interval '1 minute' * trunc($2)::double precision) $$;
create or replace function db2.add_minutes(text, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.add_minutes(db2."timestamp"($1), $2)';
create or replace function db2.add_seconds(time, numeric) returns time language sql immutable parallel safe as
    $$ select $1 + interval '1 second' * trunc($2)::double precision $$;
create or replace function db2.add_seconds(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    $$ select db2.checked($1 + interval '1 second' * $2::double precision) $$;
create or replace function db2.add_seconds(text, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.add_seconds(db2."timestamp"($1), $2)';
create or replace function db2.add_microseconds(time, numeric) returns time language sql immutable parallel safe as
    $$ select $1 + interval '1 microsecond' * trunc($2)::double precision $$;
create or replace function db2.add_microseconds(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    $$ select db2.checked($1 + interval '1 microsecond' * trunc($2)::double precision) $$;
create or replace function db2.add_microseconds(text, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.add_microseconds(db2."timestamp"($1), $2)';
-- Decimal durations: value + duration, value - duration.
create or replace function db2.add_duration(value date, duration numeric) returns date language sql immutable parallel safe as $$
    select db2.add_days(db2.add_months(db2.add_years($1, db2.year($2)), db2.month($2)), db2.day($2))
$$;
create or replace function db2.subtract_duration(value date, duration numeric) returns date language sql immutable parallel safe as $$
    select db2.add_years(db2.add_months(db2.add_days($1, - db2.day($2)), - db2.month($2)), - db2.year($2))
$$;
create or replace function db2.add_duration(value time, duration numeric) returns time language sql immutable parallel safe as $$
    select $1 + make_interval(hours => db2.hour($2), mins => db2.minute($2), secs => db2.second($2))
$$;
create or replace function db2.subtract_duration(value time, duration numeric) returns time language sql immutable parallel safe as $$
    select $1 - make_interval(hours => db2.hour($2), mins => db2.minute($2), secs => db2.second($2))
$$;
create or replace function db2.add_duration(value timestamp, duration numeric) returns timestamp
language plpgsql immutable strict parallel safe as $$
begin
    if scale(duration) = 0 and abs(duration) < 100000000 then
        return db2.checked(value + make_interval(db2.year(duration), db2.month(duration)) + make_interval(days => db2.day(duration)));
    end if;
    return db2.checked(value + make_interval(trunc(duration / 10000000000)::integer, (trunc(duration / 100000000) % 100)::integer)
        + make_interval(days => (trunc(duration / 1000000) % 100)::integer, hours => db2.hour(duration), mins => db2.minute(duration))
        + (duration % 100)::double precision * interval '1 second');
end $$;
create or replace function db2.subtract_duration(value timestamp, duration numeric) returns timestamp
language sql immutable parallel safe as 'select db2.add_duration($1, - $2)';

-- Differences, as decimal durations.
create or replace function db2.date_duration(later date, earlier date, carried integer default 0) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
    years integer := extract(year from later) - extract(year from earlier);
    months integer := extract(month from later) - extract(month from earlier);
    days integer := extract(day from later) - extract(day from earlier) - carried;
begin
    if later < earlier then
        return - db2.date_duration(earlier, later, carried);
    end if;
    if days < 0 then
        days := days + extract(day from db2.last_day(earlier));
        months := months - 1;
    end if;
    if months < 0 then
        months := months + 12;
        years := years - 1;
    end if;
    return years * 10000 + months * 100 + days;
end $$;
create or replace function db2.time_duration(later time, earlier time) returns numeric language plpgsql immutable strict parallel safe as $$
declare
    seconds integer := abs(extract(epoch from later) - extract(epoch from earlier));
begin
    return (seconds / 3600 * 10000 + seconds / 60 % 60 * 100 + seconds % 60) * case when later < earlier then -1 else 1 end;
end $$;
create or replace function db2.timestamp_duration(later timestamp, earlier timestamp) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
    seconds numeric := extract(epoch from later::time) - extract(epoch from earlier::time);
    carried integer := 0;
begin
    if later < earlier then
        return - db2.timestamp_duration(earlier, later);
    end if;
    if seconds < 0 then
        seconds := seconds + 86400;
        carried := 1;
    end if;
    return round(db2.date_duration(later::date, earlier::date, carried) * 1000000
        + trunc(seconds / 3600) * 10000 + trunc(seconds / 60) % 60 * 100 + seconds % 60, 6);
end $$;
-- TIMESTAMPDIFF(unit, duration): an estimate that takes a year as 365 days and a month as 30.
create or replace function db2.timestampdiff(unit integer, duration numeric) returns integer
language plpgsql immutable strict parallel safe as $$
declare
    years numeric := trunc(duration / 10000000000);
    months numeric := trunc(duration / 100000000) % 100;
    days numeric := trunc(duration / 1000000) % 100;
    seconds numeric := db2.hour(duration) * 3600 + db2.minute(duration) * 60 + duration % 100;
    all_days numeric := years * 365 + months * 30 + days;
begin
    return trunc(case unit
        when 256 then years
        when 128 then (years * 12 + months) / 3
        when 64 then years * 12 + months
        when 32 then all_days / 7
        when 16 then all_days
        when 8 then all_days * 24 + seconds / 3600
        when 4 then all_days * 1440 + seconds / 60
        when 2 then all_days * 86400 + seconds
        when 1 then all_days * 86400000000 + seconds * 1000000
    end)::integer;
end $$;
create or replace function db2.timestampdiff(unit integer, duration text) returns integer language sql immutable parallel safe as
    $$ select db2.timestampdiff($1, db2.number($2, 'TIMESTAMPDIFF')) $$;

-- ADD_MONTHS of the last day of a month gives the last day of a month.
create or replace function db2.add_months_end(date, numeric) returns date language sql immutable parallel safe as $$
    select case when $1 = db2.last_day($1) then db2.last_day(db2.add_months($1, $2)) else db2.add_months($1, $2) end
$$;
create or replace function db2.add_months_end(timestamp, numeric) returns timestamp language sql immutable parallel safe as
    'select db2.add_months_end($1::date, $2) + $1::time';
create or replace function db2.add_months_end(text, numeric) returns date language sql immutable parallel safe as
    'select db2.add_months_end(db2.date($1), $2)';
create or replace function db2.next_day(value date, day_ text) returns date language plpgsql immutable strict parallel safe as $$
declare
    wanted integer := array_position(array['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'], upper(left(day_, 3))) - 1;
begin
    if wanted is null then
        perform db2.raise(-171, '42815', '2', 'NEXT_DAY');
    end if;
    return value + ((wanted - extract(dow from value)::integer + 6) % 7 + 1);
end $$;
create or replace function db2.next_day(value timestamp, day_ text) returns timestamp language sql immutable parallel safe as
    'select db2.next_day($1::date, $2) + $1::time';
create or replace function db2.next_day(value text, day_ text) returns date language sql immutable parallel safe as
    'select db2.next_day(db2.date($1), $2)';
create or replace function db2.months_between(later timestamp, earlier timestamp) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
    months numeric := (extract(year from later) - extract(year from earlier)) * 12 + extract(month from later) - extract(month from earlier);
begin
    if extract(day from later) = extract(day from earlier)
        or later::date = db2.last_day(later::date) and earlier::date = db2.last_day(earlier::date) then
        return round(months, 15);
    end if;
    return trunc(months + (extract(day from later) - extract(day from earlier)
        + (extract(epoch from later::time) - extract(epoch from earlier::time)) / 86400) / 31, 15);
end $$;
create or replace function db2.months_between(later text, earlier text) returns numeric language sql immutable parallel safe as
    'select db2.months_between(db2."timestamp"($1), db2."timestamp"($2))';

-- Formats of VARCHAR_FORMAT and TIMESTAMP_FORMAT in PostgreSQL's terms.
create or replace function db2.format(format text) returns text language sql immutable parallel safe as $$
    select replace(replace(replace(replace(replace(replace(replace(upper($1),
        'NNNNNN', 'US'), 'FF6', 'US'), 'FF3', 'MS'), 'FF', 'US'), 'RRRR', 'YYYY'), 'RR', 'YY'), 'SSSSS', 'SSSS')
$$;
create or replace function db2.varchar_format(timestamp, text default 'YYYY-MM-DD HH24:MI:SS') returns bpchar
language sql stable parallel safe as 'select to_char($1, db2.format($2))::bpchar';
create or replace function db2.varchar_format(date, text) returns bpchar language sql stable parallel safe as
    'select to_char($1::timestamp, db2.format($2))::bpchar';
create or replace function db2.varchar_format(text, text) returns bpchar language sql stable parallel safe as
    'select to_char(db2."timestamp"($1), db2.format($2))::bpchar';
create or replace function db2.varchar_format(numeric, text) returns bpchar language sql stable parallel safe as
    'select to_char($1, $2)::bpchar';
create or replace function db2.timestamp_format(value text, format text) returns timestamp language plpgsql stable strict parallel safe as $$
begin
    return to_timestamp(value, db2.format(format))::timestamp;
exception when data_exception then
    perform db2.raise(-20448, '22007', value, format, 'TIMESTAMP_FORMAT');
end $$;

-- TRUNC_TIMESTAMP and ROUND_TIMESTAMP: the unit of a format element.
create or replace function db2.unit_of(format text) returns text language plpgsql immutable strict parallel safe as $$
declare
    unit text;
begin
    unit := case
        when upper(format) in ('CC', 'SCC') then 'century'
        when upper(format) in ('YYYY', 'SYYYY', 'YEAR', 'SYEAR', 'YYY', 'YY', 'Y') then 'year'
        when upper(format) = 'Q' then 'quarter'
        when upper(format) in ('MONTH', 'MON', 'MM', 'RM') then 'month'
        when upper(format) = 'IW' then 'week'
        when upper(format) in ('DDD', 'DD', 'J') then 'day'
        when upper(format) in ('HH', 'HH12', 'HH24') then 'hour'
        when upper(format) = 'MI' then 'minute'
        when upper(format) = 'SS' then 'second'
    end;
    if unit is null then
        perform db2.raise(-20447, '22007', format, 'TRUNC_TIMESTAMP');
    end if;
    return unit;
end $$;
create or replace function db2.trunc_timestamp(timestamp, text default 'DD') returns timestamp language sql immutable parallel safe as
    'select date_trunc(db2.unit_of($2), $1)';
create or replace function db2.trunc_timestamp(text, text default 'DD') returns timestamp language sql immutable parallel safe as
    'select date_trunc(db2.unit_of($2), db2."timestamp"($1))';
create or replace function db2.round_timestamp(timestamp, text default 'DD') returns timestamp language sql immutable parallel safe as $$
    select date_trunc(db2.unit_of($2), $1 + case db2.unit_of($2)
        when 'year' then interval '6 months' when 'month' then interval '16 days' when 'day' then interval '12 hours'
        when 'hour' then interval '30 minutes' when 'minute' then interval '30 seconds' else interval '0' end)
$$;
