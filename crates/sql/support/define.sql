-- What translated definitions call: schemas and roles that Db2 does not need to be created, indexes, the placement of tables.

-- Where CREATE TABLE put a table: DROP DATABASE and DROP TABLESPACE drop the tables in it. Only who owns a table says where it is.
create table if not exists db2.placement (
    schema_name text not null, table_name text not null, database_name text not null, space_name text not null,
    primary key (schema_name, table_name));
alter table db2.placement add column if not exists id oid;
revoke insert, update, delete on db2.placement from public;
grant select on db2.placement to public;

-- The roles that CREATE ROLE and GRANT have made: no other is dropped.
create table if not exists db2.made_role (id oid primary key);

-- Makes the schema, or the first of the search path, if there is none.
create or replace procedure db2.ensure_schema(name text default null) language plpgsql as $$
declare
    wanted text := coalesce(name, (parse_ident(split_part(current_setting('search_path'), ',', 1)))[1]);
begin
    if wanted <> '$user' and not exists (select from pg_namespace where nspname = wanted) then
        execute format('create schema if not exists %I', wanted);
        execute format('grant usage on schema %I to public', wanted);
    end if;
exception when invalid_parameter_value or unique_violation then
    null;
end $$;

create or replace procedure db2.ensure_role(name text) language plpgsql as $$
begin
    if not exists (select from pg_roles where rolname = name) then
        call db2.make_role(name);
    end if;
end $$;

-- With the rights of the owner of the schema, because the role of an application has none on roles. The role that is made has no rights,
-- and cannot log in.
create or replace procedure db2.make_role(name text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    execute format('create role %I', name);
    insert into db2.made_role select oid from pg_roles where rolname = name on conflict do nothing;
exception when duplicate_object or unique_violation then
    -- Another session has made it.
    null;
end $$;

-- A role that was made here, and that no administrator has given anything since.
create or replace function db2.role_made_here(name text, operation text) returns oid language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
declare
    found record;
begin
    select r.*, m.id is not null as is_made into found from pg_roles r left join db2.made_role m on m.id = r.oid where r.rolname = name;
    if found.oid is null then
        perform db2.raise(-204, '42704', upper(name));
    elsif not found.is_made or found.rolcanlogin or found.rolsuper or found.rolcreaterole or found.rolcreatedb or found.rolreplication
        or found.rolbypassrls or exists (select from pg_auth_members where member = found.oid) then
        perform db2.raise(-551, '42501', '*N', operation, upper(name));
    end if;
    return found.oid;
end $$;

-- DROP ROLE: its privileges go with it. One that owns something stays.
create or replace procedure db2.drop_role(name text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    dropped oid := db2.role_made_here(name, 'DROP ROLE');
begin
    if exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = dropped and deptype = 'o') then
        perform db2.raise(-478, '42893', upper(name), '', 'AN OBJECT');
    end if;
    execute format('drop owned by %I', name);
    execute format('drop role %I', name);
    delete from db2.made_role where id = dropped;
end $$;

create or replace procedure db2.comment_on_role(name text, words text) language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform db2.role_made_here(name, 'COMMENT ON ROLE');
    execute format('comment on role %I is %L', name, words);
end $$;

-- Not for everybody who may log in: roles are those of the whole server.
revoke execute on procedure db2.make_role(text) from public;
revoke execute on procedure db2.drop_role(text) from public;
revoke execute on procedure db2.comment_on_role(text, text) from public;

create or replace procedure db2.place(table_ text, database_ text, space text) language plpgsql as $$
begin
    call db2.place_table(table_::regclass, database_, space);
end $$;

create or replace procedure db2.place_table(table_ oid, database_ text, space text) language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into db2.placement (schema_name, table_name, database_name, space_name, id)
        select n.nspname, c.relname, database_, space, c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = table_ and pg_has_role(session_user, c.relowner, 'usage')
        on conflict (schema_name, table_name) do update
        set database_name = excluded.database_name, space_name = excluded.space_name, id = excluded.id;
end $$;

-- Forgets tables that are gone.
create or replace procedure db2.forget_placements() language sql security definer set search_path = pg_catalog, pg_temp as $$
    delete from db2.placement where to_regclass(format('%I.%I', schema_name, table_name)) is null
$$;

-- DROP DATABASE, or DROP TABLESPACE with a space, with the rights of the caller. A table that has the name of one that was placed is none.
create or replace procedure db2.drop_placed(database_ text, space text default null) language plpgsql as $$
declare
    placed record;
begin
    for placed in select * from db2.placement where database_name = database_ and (space is null or space_name = space) loop
        if placed.id is null or placed.id = to_regclass(format('%I.%I', placed.schema_name, placed.table_name)) then
            execute format('drop table if exists %I.%I cascade', placed.schema_name, placed.table_name);
        end if;
    end loop;
    call db2.forget_placements();
end $$;

-- The index that serves comparisons in EBCDIC order of the columns, if one of them has characters.
create or replace procedure db2.create_ebcdic_index(table_ text, keys text[]) language plpgsql as $$
declare
    key text;
    column_ text;
    parts text[] := '{}';
    has_characters boolean := false;
    is_character boolean;
begin
    foreach key in array keys loop
        column_ := regexp_replace(key, ' (ASC|DESC)$', '');
        select a.atttypid in ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) into is_character from pg_attribute a
            where a.attrelid = table_::regclass and a.attname = (parse_ident(column_))[1] and not a.attisdropped;
        has_characters := has_characters or coalesce(is_character, false);
        parts := parts || case when is_character then 'db2.ebcdic(' || column_ || ')' || substr(key, length(column_) + 1) else key end;
    end loop;
    if has_characters then
        execute format('create index if not exists %I on %s (%s)',
            left((select relname::text from pg_class where oid = table_::regclass), 40)
                || '_' || left(md5(array_to_string(parts, ',')), 8) || '_ebcdic_',
            table_::regclass, array_to_string(parts, ', '));
    end if;
exception when invalid_parameter_value then
    null;
end $$;

-- CREATE INDEX. The unique index of the columns of a primary or unique key is that key's index, under the new name. Two nulls are
-- equal in a unique index unless it is WHERE NOT NULL.
create or replace procedure db2.create_index(name text, table_ text, keys text[], is_unique boolean default false,
    where_not_null boolean default false, included text[] default '{}', ebcdic boolean default true) language plpgsql as $$
declare
    key_constraint text;
    clauses text := '';
begin
    if is_unique and included = '{}' then
        select c.conname into key_constraint from pg_constraint c join pg_class t on t.oid = c.conrelid
            where t.oid = table_::regclass and c.contype in ('p', 'u') and c.conname in (
                    select conname from pg_constraint where conname like '%\_pkey' or conname like '%\_key')
                and (select array_agg(a.attname::text order by k.place) from unnest(c.conkey) with ordinality k(number, place)
                    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number)
                = (select array_agg(replace(k.key, '"', '') order by k.place) from unnest(keys) with ordinality k(key, place))
            limit 1;
    end if;
    if key_constraint is not null then
        execute format('alter table %s rename constraint %I to %I', table_::regclass, key_constraint, name);
    else
        if included <> '{}' then
            clauses := ' include (' || array_to_string(included, ', ') || ')';
        end if;
        if is_unique and not where_not_null and current_setting('server_version_num')::integer >= 150000 then
            clauses := clauses || ' nulls not distinct';
        end if;
        execute format('create %s index %I on %s (%s)%s', case when is_unique then 'unique' else '' end, name, table_::regclass,
            array_to_string(keys, ', '), clauses);
    end if;
    if ebcdic then
        call db2.create_ebcdic_index(table_, keys);
    end if;
end $$;

-- DROP INDEX. That of a key gets the key's own name again.
create or replace procedure db2.drop_index(name text) language plpgsql as $$
declare
    dropped regclass := to_regclass(name);
    key_constraint pg_constraint;
    words text[] := parse_ident(name);
begin
    if dropped is null then
        select c.oid::regclass into dropped from pg_class c where c.relkind = 'i' and c.relname = words[array_length(words, 1)]
            and c.relnamespace::regnamespace::text not in ('pg_catalog', 'pg_toast', 'information_schema', 'db2', 'sysibm') limit 1;
    end if;
    if dropped is null then
        perform db2.raise(-204, '42704', upper(name));
    end if;
    select * into key_constraint from pg_constraint where conindid = dropped and contype in ('p', 'u');
    if found then
        execute format('alter table %s rename constraint %I to %I', key_constraint.conrelid::regclass, key_constraint.conname,
            left((select relname::text from pg_class where oid = key_constraint.conrelid), 57)
                || case key_constraint.contype when 'p' then '_pkey' else '_key' end);
    else
        execute format('drop index %s', dropped);
    end if;
end $$;

create or replace procedure db2.drop_primary_key(table_ text) language plpgsql as $$
declare
    name text := (select conname from pg_constraint where conrelid = table_::regclass and contype = 'p');
begin
    if name is null then
        perform db2.raise(-539, '42888', upper(table_));
    end if;
    execute format('alter table %s drop constraint %I cascade', table_::regclass, name);
end $$;

-- CREATE TRIGGER. Triggers of a table run in the order in which they were created: the server runs them in that of their names.
create or replace procedure db2.create_trigger(name text, table_ text, event text, function_ text) language plpgsql as $$
declare
    number integer;
begin
    select coalesce(max(left(tgname, 6)::integer), 0) + 1 into number from pg_trigger
        where tgrelid = table_::regclass and not tgisinternal and tgname ~ '^\d{6} ';
    execute format('create trigger %I %s execute function %s()', to_char(number, 'FM000000') || ' ' || name, event, function_);
end $$;

create or replace procedure db2.drop_trigger(name text, function_ text, missing_ok boolean default false) language plpgsql as $$
begin
    if to_regprocedure(function_ || '()') is not null then
        execute format('drop function %s() cascade', function_);
    elsif not missing_ok then
        perform db2.raise(-204, '42704', name);
    end if;
end $$;

-- SQLCODE of an error that a handler of a routine sees: of the errors of schema db2 the one that they carry, of others that of their SQLSTATE.
create or replace function db2.sqlcode(state text, hint text) returns integer language sql immutable parallel safe as $$
    select case
        when hint like 'SQLCODE=%' then substr(hint, 9)::integer
        else case state
            when '23505' then -803 when '23502' then -407 when '23503' then -530 when '23001' then -532 when '23514' then -545
            when '22012' then -802 when '22003' then -802 when '22001' then -404 when '21000' then -811 when 'P0003' then -811
            when '22007' then -180 when '22008' then -181 when '22P02' then -420 when '22018' then -420 when '22004' then -305
            when '42P01' then -204 when '42703' then -206 when '42883' then -440 when '42501' then -551 when '55P03' then -913
            when '20000' then -773 else -901 end
        end
$$;
