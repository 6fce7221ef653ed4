-- Objects of the application that the owner of the cluster made become those of its own role. Regent's schemas stay the owner's.
do $$
declare
    own text[] := array['information_schema', 'db2', 'sysibm'];
    found record;
begin
    for found in select nspname from pg_namespace
        where nspname !~ '^pg_' and nspname <> all (own) and nspname <> 'public' and nspowner = 'regent'::regrole
    loop
        execute format('alter schema %I owner to regent_application', found.nspname);
    end loop;
    -- Sequences of identity columns go with their tables.
    for found in select c.oid::regclass as name, case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
            else 'table' end as kind
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and n.nspname <> all (own) and c.relowner = 'regent'::regrole and c.relkind in ('r', 'p', 'v', 'm', 'S')
            and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    loop
        execute format('alter %s %s owner to regent_application', found.kind, found.name);
    end loop;
    for found in select format_type(t.oid, null) as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
        where n.nspname !~ '^pg_' and n.nspname <> all (own) and t.typowner = 'regent'::regrole and t.typtype = 'd'
    loop
        execute format('alter domain %s owner to regent_application', found.name);
    end loop;
    for found in select f.oid::regprocedure as name from pg_proc f join pg_namespace n on n.oid = f.pronamespace
        where n.nspname !~ '^pg_' and n.nspname <> all (own) and f.proowner = 'regent'::regrole
            and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
    loop
        execute format('alter routine %s owner to regent_application', found.name);
    end loop;
end $$;
