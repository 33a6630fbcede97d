-- The audit log as it is read (indexes), and its seals: each organization's entries in a chain of hashes, so that an
-- entry that is altered, removed, moved or put in between is found (docs/audit.md says how a third party checks it).

-- No statistics of who writes how much. An organization that has grown since the last analyze is in none of them; the
-- planner then takes it for one row, finds every index equally good for a single entry, and reads the organization's
-- whole log (measured: 125,000 look-ups in minutes instead of seconds). Without statistics it assumes a two-hundredth of
-- the table for each. Restating the type removes those that were gathered before.
alter table audit_entries
  alter column organization_id type uuid,
  alter column organization_id set statistics 0;

-- Lists run down one of these in the order of ids, and reach into the table for a page's rows only. Every entry has a
-- key and an action; failures are few, so what finds them costs little.
create index if not exists audit_entries_by_key on audit_entries (organization_id, api_key_id, id desc);
create index audit_entries_by_action on audit_entries (organization_id, action, id desc);
create index audit_entries_by_request on audit_entries (organization_id, request_id, id desc);
create index audit_entries_failed on audit_entries (organization_id, id desc) where outcome = 'FAILURE';
create index audit_entries_failed_by_key on audit_entries (organization_id, api_key_id, id desc)
  where outcome = 'FAILURE';
create index audit_entries_by_error on audit_entries (organization_id, error_code, id desc)
  where error_code is not null;

-- Entries that wait for their seal. Written with the entry and removed with the seal, so that an entry is found
-- when its transaction commits, however late: neither its id nor its time says when that was.
create table audit_unsealed (
  -- Real time of the database.
  written_at      timestamptz not null,
  organization_id uuid not null,
  id              uuid not null,
  primary key (written_at, organization_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Append only. Sequences of an organization begin at 1 and have no gaps; a seal contains the hash of the one before.
create table audit_seals (
  organization_id uuid not null,
  sequence        bigint not null check (sequence between 1 and 9007199254740991),
  entry_id        uuid not null,
  entry_hash      bytea not null check (length(entry_hash) = 32),
  hash            bytea not null check (length(hash) = 32),
  -- Real time.
  sealed_at       timestamptz not null,
  primary key (organization_id, sequence)
);
alter table audit_seals alter column organization_id set statistics 0; -- as above
create unique index audit_seals_by_entry on audit_seals (organization_id, entry_id);
create trigger audit_seals_append_only before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();

-- A trigger, so that no writer of entries can forget it.
create function queue_for_sealing() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_unsealed (written_at, organization_id, id)
    select clock_timestamp(), e.organization_id, e.id from written e;
  return null;
end $$;
create trigger audit_entries_to_seal after insert on audit_entries
  referencing new table as written for each statement execute function queue_for_sealing();

insert into audit_unsealed (written_at, organization_id, id)
  select clock_timestamp(), organization_id, id from audit_entries;

-- SHA-256 of texts in this order, each as a netstring: «5:hello,», its length in bytes of UTF-8; null is «-,». No two
-- lists of texts look the same, and no language needs a library for it.
create function audit_digest(variadic p_texts text[]) returns bytea
language sql immutable as $$
  select sha256(convert_to(string_agg(
      case when t.text is null then '-,'
        else octet_length(convert_to(t.text, 'UTF8')) || ':' || t.text || ',' end, '' order by t.ordinal), 'UTF8'))
    from unnest(p_texts) with ordinality as t(text, ordinal)
$$;

-- 2026-11-20T13:40:12.345000Z
create function audit_instant(p_at timestamptz) returns text
language sql stable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- Seals what waits, the oldest first, at most p_limit entries. Answers how many it did. p_now is real time.
--
-- Its plans are kept while the tables grow from nothing to millions, so they must not be those for small tables: without
-- these settings the seals were scanned for each entry, until the next analyze, and a batch of 500 took seconds.
create function seal_audit_entries(p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_waiting audit_unsealed[];
  v_mine uuid[];
  v_entry audit_entries;
  v_organization_id uuid;
  v_sequence bigint;
  v_entry_hash bytea;
  v_hash bytea;
  v_sealed_at text := audit_instant(p_now);
  v_count integer := 0;
begin
  select array_agg(u) into v_waiting
    from (select * from audit_unsealed order by written_at limit p_limit) u;
  if v_waiting is null then return 0; end if;

  -- One sealer for each organization at a time: two would continue the chain from the same seal. What another one is
  -- busy with is left to it. It commits before it lets go, so what it sealed is seen by the statements below.
  select array_agg(o.id) into v_mine
    from (select distinct w.organization_id as id from unnest(v_waiting) w) o
    where pg_try_advisory_xact_lock(hashtext('seal_audit_entries'), hashtext(o.id::text));

  for v_entry in
    with taken as (
      -- A line whose entry is gone stays, as the trace of a removal: the check reports it.
      delete from audit_unsealed u using unnest(v_waiting) w, audit_entries e
        where w.organization_id = any (v_mine)
          and u.written_at = w.written_at and u.organization_id = w.organization_id and u.id = w.id
          and e.organization_id = u.organization_id and e.id = u.id
        returning e.*)
    -- Restored entries may wait again although they are sealed.
    select distinct t.* from taken t
      where not exists (select from audit_seals s where s.organization_id = t.organization_id and s.entry_id = t.id)
      order by t.organization_id, t.id
  loop
    if v_entry.organization_id is distinct from v_organization_id then
      v_organization_id := v_entry.organization_id;
      select s.sequence, s.hash into v_sequence, v_hash from audit_seals s
        where s.organization_id = v_organization_id order by s.sequence desc limit 1;
      if not found then
        v_sequence := 0;
        v_hash := audit_digest('sluice-audit-genesis-v1', v_organization_id::text);
      end if;
    end if;
    v_sequence := v_sequence + 1;
    v_entry_hash := audit_digest('sluice-audit-entry-v1', v_entry.organization_id::text, v_entry.id::text,
      audit_instant(v_entry.created_at), v_entry.api_key_id::text, v_entry.api_key_name, v_entry.method, v_entry.path,
      v_entry.action, v_entry.reason, v_entry.request_id, v_entry.outcome, v_entry.error_code);
    v_hash := audit_digest('sluice-audit-seal-v1', encode(v_hash, 'hex'), v_sequence::text, v_sealed_at,
      encode(v_entry_hash, 'hex'));
    insert into audit_seals (organization_id, sequence, entry_id, entry_hash, hash, sealed_at)
      values (v_organization_id, v_sequence, v_entry.id, v_entry_hash, v_hash, p_now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

grant select on audit_unsealed, audit_seals to :"app_role";
grant execute on function seal_audit_entries to :"app_role";
