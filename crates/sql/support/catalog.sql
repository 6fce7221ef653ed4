-- The catalog as applications look at it, and the tables of one row. Names are in upper case, as Db2 has them.

create or replace view sysibm.sysdummy1 as select 'Y'::char(1) as ibmreqd;
create or replace view sysibm.sysdummye as select 'Y'::char(1) as ibmreqd;
create or replace view sysibm.sysdummya as select 'Y'::char(1) as ibmreqd;
create or replace view sysibm.sysdummyu as select 'Y'::char(1) as ibmreqd;

-- Db2's name of a type, the length and the scale that SYSCOLUMNS shows.
create or replace function db2.column_type(type oid, modifier integer, out name text, out length integer, out scale integer)
language sql stable parallel safe as $$
    select case format_type(type, null)
            when 'smallint' then 'SMALLINT' when 'integer' then 'INTEGER' when 'bigint' then 'BIGINT' when 'numeric' then 'DECIMAL'
            when 'real' then 'FLOAT' when 'double precision' then 'FLOAT' when 'character' then 'CHAR'
            when 'character varying' then 'VARCHAR' when 'text' then 'CLOB' when 'bytea' then 'BLOB' when 'date' then 'DATE'
            when 'time without time zone' then 'TIME' when 'timestamp without time zone' then 'TIMESTMP'
            else upper(format_type(type, null)) end,
        case format_type(type, null)
            when 'smallint' then 2 when 'integer' then 4 when 'bigint' then 8 when 'real' then 4 when 'double precision' then 8
            when 'numeric' then case when modifier < 0 then 31 else (modifier - 4) >> 16 & 65535 end
            when 'date' then 4 when 'time without time zone' then 3 when 'timestamp without time zone' then 10
            else case when modifier < 0 then 0 else modifier - 4 end end,
        case when format_type(type, null) = 'numeric' and modifier >= 0 then (modifier - 4) & 65535 else 0 end
$$;

create or replace view sysibm.systables as
    select upper(c.relname)::varchar(128) as name, upper(n.nspname)::varchar(128) as creator,
        (case when c.relkind = 'v' then 'V' when c.relkind = 'm' then 'M' else 'T' end)::char(1) as type,
        upper(n.nspname)::varchar(24) as dbname, upper(c.relname)::varchar(24) as tsname, 0::smallint as dbid, c.oid::integer as obid,
        c.relnatts as colcount, greatest(c.reltuples, -1)::double precision as cardf, greatest(c.reltuples, -1)::integer as card,
        c.relpages as npages, (select count(*) from pg_constraint k where k.conrelid = c.oid and k.contype = 'f')::smallint as parents,
        (select count(*) from pg_constraint k where k.confrelid = c.oid and k.contype = 'f')::smallint as children,
        (select count(*) from pg_constraint k, unnest(k.conkey) where k.conrelid = c.oid and k.contype = 'p')::smallint as keycolumns,
        coalesce(obj_description(c.oid, 'pg_class'), '')::varchar(762) as remarks, ''::varchar(90) as label,
        'E'::char(1) as encoding_scheme, ' '::char(1) as status, upper(pg_get_userbyid(c.relowner))::varchar(128) as createdby,
        null::varchar(128) as tbcreator, null::varchar(128) as tbname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'db2');

create or replace view sysibm.syscolumns as
    select upper(a.attname)::varchar(128) as name, upper(c.relname)::varchar(128) as tbname, upper(n.nspname)::varchar(128) as tbcreator,
        row_number() over (partition by a.attrelid order by a.attnum)::smallint as colno, t.name::char(8) as coltype,
        t.length::smallint as length, t.scale::smallint as scale, t.length as length2,
        (case when a.attnotnull then 'N' else 'Y' end)::char(1) as nulls,
        (case when a.attidentity = 'a' then 'I' when a.attidentity = 'd' then 'J' when a.atthasdef then '1' else 'N' end)::char(1)
            as "default",
        coalesce(pg_get_expr(d.adbin, d.adrelid), '')::varchar(1536) as defaultvalue,
        coalesce((select array_position(k.conkey, a.attnum) from pg_constraint k
            where k.conrelid = c.oid and k.contype = 'p'), 0)::smallint as keyseq,
        coalesce(col_description(c.oid, a.attnum), '')::varchar(762) as remarks, ''::varchar(90) as label,
        (case when t.name in ('CHAR', 'VARCHAR', 'CLOB') then 37 else 0 end) as ccsid, ' '::char(1) as foreignkey
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum, db2.column_type(a.atttypid, a.atttypmod) t
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'p')
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'db2');

create or replace view sysibm.sysindexes as
    select upper(i.relname)::varchar(128) as name, upper(n.nspname)::varchar(128) as creator, upper(c.relname)::varchar(128) as tbname,
        upper(n.nspname)::varchar(128) as tbcreator,
        (case when x.indisprimary then 'P' when x.indisunique then 'U' else 'D' end)::char(1) as uniquerule,
        x.indnkeyatts as colcount, (case when x.indisclustered then 'Y' else 'N' end)::char(1) as clustering,
        upper(n.nspname)::varchar(24) as dbname, upper(i.relname)::char(8) as indexspace, i.oid::integer as obid,
        coalesce(obj_description(i.oid, 'pg_class'), '')::varchar(762) as remarks
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
        join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'db2') and right(i.relname, 8) <> '_ebcdic_';

create or replace view sysibm.syskeys as
    select upper(i.relname)::varchar(128) as ixname, upper(n.nspname)::varchar(128) as ixcreator, upper(a.attname)::varchar(128) as colname,
        a.attnum as colno, k.seq::smallint as colseq, (case when x.indoption[k.seq - 1] & 1 = 1 then 'D' else 'A' end)::char(1) as ordering
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace,
        unnest(x.indkey::smallint[]) with ordinality k(attnum, seq) join pg_attribute a on true
    where a.attrelid = x.indrelid and a.attnum = k.attnum and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'db2')
        and right(i.relname, 8) <> '_ebcdic_';

create or replace view sysibm.sysrels as
    select upper(n.nspname)::varchar(128) as creator, upper(c.relname)::varchar(128) as tbname, upper(k.conname)::varchar(128) as relname,
        upper(p.relname)::varchar(128) as reftbname, upper(pn.nspname)::varchar(128) as reftbcreator,
        cardinality(k.conkey)::smallint as colcount,
        (case k.confdeltype when 'c' then 'C' when 'n' then 'N' when 'r' then 'R' else 'A' end)::char(1) as deleterule
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
    where k.contype = 'f';

create or replace view sysibm.sysviews as
    select upper(c.relname)::varchar(128) as name, upper(n.nspname)::varchar(128) as creator, 'V'::char(1) as type,
        pg_get_viewdef(c.oid) as statement
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'v' and n.nspname not in ('pg_catalog', 'information_schema', 'db2');

create or replace view sysibm.syssequences as
    select upper(s.sequencename)::varchar(128) as name, upper(s.schemaname)::varchar(128) as schema,
        s.start_value as start, s.increment_by as increment, s.min_value as minvalue, s.max_value as maxvalue,
        (case when s.cycle then 'Y' else 'N' end)::char(1) as cycle, s.cache_size as cache
    from pg_sequences s;

grant select on all tables in schema sysibm to public;

delete from db2.version;
