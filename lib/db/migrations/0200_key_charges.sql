-- What capped keys set moving in the last 24 hours, which a changed time zone does not start over.
create table key_charges (
  organization_id uuid not null,
  api_key_id      uuid not null,
  minute          timestamptz not null,
  last_at         timestamptz not null,
  in_cents        bigint not null check (in_cents > 0),
  primary key (organization_id, api_key_id, minute)
) with (fillfactor=70);
comment on table key_charges is
'What a capped key set moving, the runs that it caused included, summed per minute of business time. Never decreased: a
key that sends the same money back and forth would otherwise never reach its cap. Deleted after two days. No foreign key
to api_keys: a run that is being carried out holds its row and must not wait for a revocation, which locks the key first.';
comment on column key_charges.last_at is 'When the last of them was charged; all of the minute count for 24 hours from then.';
grant select on key_charges to :"app_role";

-- At which time of its day an amount was charged is not known, so each counts from the latest possible time: a key may
-- have to ask once too often, and never moves more than its cap within 24 hours.
insert into key_charges (organization_id, api_key_id, minute, last_at, in_cents)
  select d.organization_id, d.api_key_id, date_trunc('minute', latest.at), max(latest.at), sum(d.used_in_cents)
    from key_days d
    join organizations o on o.id = d.organization_id
    cross join lateral (select clock_timestamp() + o.clock_offset_ms * interval '1 millisecond' as at) now
    cross join lateral (select least(now.at,
      (d.day + 1)::timestamp at time zone o.time_zone - interval '1 millisecond') as at) latest
   where d.used_in_cents > 0 and latest.at > now.at - interval '24 hours'
   group by 1, 2, 3;

comment on table key_days is
'What a capped key had set moving on a day of its organization, before key_charges counted the last 24 hours. Nothing is
written to it anymore.';
