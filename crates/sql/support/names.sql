-- Refuses names of a statement that the server would find in its own catalog or in an extension, where the application has nothing.

drop procedure if exists db2.check_names(text[], text[], text[]);
create or replace procedure db2.check_names(functions text[], types text[], tables text[], columns text[] default '{}')
language plpgsql as $$
declare
    name text;
    words text[];
begin
    foreach name in array functions loop
        words := parse_ident(name);
        -- A type is a function of one argument, too.
        if cardinality(words) = 1 and (
                exists (select from pg_proc where proname = words[1] and pronamespace in
                    ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'db2'::regnamespace, 'sysibm'::regnamespace))
                or exists (select from pg_type where typname = words[1] and typnamespace = 'pg_catalog'::regnamespace))
            or exists (select from pg_proc f join pg_namespace n on n.oid = f.pronamespace join pg_depend d
                on d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e'
                where f.proname = words[cardinality(words)] and (cardinality(words) = 1 or n.nspname = words[1])) then
            perform db2.raise(-440, '42884', upper(array_to_string(words, '.')));
        end if;
    end loop;
    foreach name in array types loop
        words := parse_ident(name);
        if cardinality(words) = 1 and exists (select from pg_type where typname = words[1] and typnamespace = 'pg_catalog'::regnamespace) then
            perform db2.raise(-204, '42704', upper(words[1]));
        end if;
    end loop;
    foreach name in array tables loop
        words := parse_ident(name);
        if exists (select from pg_class where relname = words[1] and relnamespace = 'pg_catalog'::regnamespace) then
            perform db2.raise(-204, '42704', upper(words[1]));
        end if;
    end loop;
    call db2.check_columns(columns);
end $$;

-- Refuses a column that none of some tables has. Each entry has the column and then the tables. A table that is not there is refused with
-- the statement itself.
create or replace procedure db2.check_columns(columns text[]) language plpgsql as $$
declare
    item text;
    words text[];
begin
    foreach item in array columns loop
        words := string_to_array(item, chr(31));
        if not exists (select from unnest(words[2:]) t(name) left join pg_attribute a
                on a.attrelid = to_regclass(t.name) and a.attname = words[1] and a.attnum > 0 and not a.attisdropped
                where to_regclass(t.name) is null or a.attname is not null) then
            perform db2.raise(-206, '42703', upper(words[1]));
        end if;
    end loop;
end $$;
