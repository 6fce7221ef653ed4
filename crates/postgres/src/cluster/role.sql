-- The role of the application, and what it needs beside its own objects.
do $$
begin
    if not exists (select from pg_roles where rolname = 'regent_application') then
        create role regent_application;
    end if;
end $$;
alter role regent_application nosuperuser nocreaterole nocreatedb noreplication nobypassrls;
grant connect, create, temporary on database regent to regent_application;
grant usage, create on schema public to regent_application;
