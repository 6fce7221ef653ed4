-- What translated definitions call: schemas and roles that Db2 does not need to be created, indexes, the placement of tables.

-- Where CREATE TABLE put a table: DROP DATABASE and DROP TABLESPACE drop the tables in it.
create table if not exists db2.placement (
    schema_name text not null, table_name text not null, database_name text not null, space_name text not null,
    primary key (schema_name, table_name));
grant select, insert, update, delete on db2.placement to public;

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

-- With the rights of the owner of the schema: the role of an application makes none. The role has no rights, and cannot log in.
create or replace procedure db2.ensure_role(name text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from pg_roles where rolname = name) then
        execute format('create role %I', name);
    end if;
exception when duplicate_object or unique_violation then
    -- Another session has made it.
    null;
end $$;

create or replace procedure db2.place(table_ text, database_ text, space text) language sql as $$
    insert into db2.placement
        select n.nspname, c.relname, database_, space from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = table_::regclass
        on conflict (schema_name, table_name) do update set database_name = excluded.database_name, space_name = excluded.space_name
$$;

-- DROP DATABASE, or DROP TABLESPACE with a space.
create or replace procedure db2.drop_placed(database_ text, space text default null) language plpgsql as $$
declare
    placed record;
begin
    for placed in select * from db2.placement where database_name = database_ and (space is null or space_name = space) loop
        execute format('drop table if exists %I.%I cascade', placed.schema_name, placed.table_name);
        delete from db2.placement where schema_name = placed.schema_name and table_name = placed.table_name;
    end loop;
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
