-- What a process writes when a load balancer asks whether it is ready: a database that answers reads and takes no writes
-- (a full disk, a standby) serves nobody. One row, written by whoever is asked.
create table readiness_checks (
  id         boolean primary key default true check (id),
  checked_at timestamptz not null
);
grant select, insert, update (checked_at) on readiness_checks to :"app_role";
