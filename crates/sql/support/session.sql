-- Registers, identity values, unique values.

-- A special register that the session sets as the setting db2.NAME, with _ for blanks; the value of a register that is not set.
create or replace function db2.register(name text) returns text language plpgsql stable strict parallel safe as $$
declare
    value text := current_setting('db2.' || lower(replace(name, ' ', '_')), true);
begin
    if value <> '' then
        return value;
    end if;
    return case name
        when 'USER' then upper(current_user)
        when 'CURRENT SQLID' then upper(current_user)
        when 'CURRENT SCHEMA' then coalesce(nullif(db2.register('CURRENT SQLID'), ''), upper(current_user))
        when 'CURRENT SERVER' then upper(current_database())
        when 'CURRENT TIMEZONE' then db2.timezone()::text
        when 'CURRENT DEGREE' then '1'
        when 'CURRENT RULES' then 'DB2'
        when 'CURRENT PRECISION' then 'DEC15'
        when 'CURRENT PATH' then '"SYSIBM","SYSFUN","SYSPROC"'
        when 'CURRENT APPLICATION ENCODING SCHEME' then 'EBCDIC'
        when 'CURRENT LOCALE LC_CTYPE' then 'EN_US'
        else ''
    end;
end $$;
create or replace function db2.set_register(name text, value text) returns void language sql volatile parallel unsafe as $$
    select set_config('db2.' || lower(replace($1, ' ', '_')), $2, false)
$$;

-- IDENTITY_VAL_LOCAL(): the last value that a sequence gave to this session, null if none did.
create or replace function db2.identity_val_local() returns numeric language plpgsql volatile parallel unsafe as $$
begin
    return lastval();
exception when object_not_in_prerequisite_state then
    return null;
end $$;

-- GENERATE_UNIQUE(): 13 bytes; the first eight are the microseconds since 1970, so that later values are greater.
create sequence if not exists db2.unique_number cycle;
grant usage on sequence db2.unique_number to public;
create or replace function db2.generate_unique() returns bytea language sql volatile parallel unsafe as $$
    select int8send((extract(epoch from clock_timestamp()) * 1000000)::bigint)
        || substring(int8send(nextval('db2.unique_number')) from 4 for 5)
$$;
create or replace function db2."timestamp"(unique_value bytea) returns timestamp language sql immutable parallel safe as $$
    select timestamp '1970-01-01' + ('x' || encode(substring($1 from 1 for 8), 'hex'))::bit(64)::bigint * interval '1 microsecond'
$$;

-- The value of a ROWID column: 17 bytes.
create or replace function db2.rowid() returns bytea language sql volatile parallel safe as
    $$ select decode(replace(gen_random_uuid()::text, '-', '') || '01', 'hex') $$;
create or replace function db2.rowid(bytea) returns bytea language sql immutable parallel safe as 'select $1';

create or replace function db2.rand() returns double precision language sql volatile parallel restricted as 'select random()';
create or replace function db2.rand(seed integer) returns double precision language plpgsql volatile strict parallel restricted as $$
begin
    perform setseed((seed % 1000000) / 1000000.0);
    return random();
end $$;

-- Raises the error of SIGNAL and RAISE_ERROR.
create or replace function db2.raise_error(state text, message text) returns text language plpgsql volatile parallel safe as $$
begin
    perform db2.raise(-438, state, message);
    return null;
end $$;

-- Keeps the ROW CHANGE TIMESTAMP column that the trigger names.
create or replace function db2.row_change() returns trigger language plpgsql as $$
begin
    return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], clock_timestamp()::timestamp));
end $$;
