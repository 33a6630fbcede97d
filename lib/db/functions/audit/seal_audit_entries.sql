-- Seals queued audit entries, oldest first, at most p_limit; returns how many. p_now: real time.
-- Seals none while the oldest is younger than p_rest_ms: several processes would otherwise seal each other's few, and each
-- batch looks up the last seal of every organization in it. One of the future, after the clock was set back, does not wait.
-- Tries one advisory lock per organization and skips those held: two sealers would continue the chain from the same
-- seal.
-- Scan and join settings: the plan is cached while the tables grow from empty to millions of rows. With a plan for
-- small tables each entry scanned all seals, and a batch of 500 took seconds until the next analyze.
create or replace function seal_audit_entries(p_now timestamptz, p_limit integer, p_rest_ms integer default 0)
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_waiting audit_unsealed[];
  v_mine uuid[];
  v_entries audit_seals[];
  v_organization_id uuid;
  v_sequence bigint;
  v_hash bytea;
  -- By the place of the entry.
  v_sequences bigint[];
  v_hashes bytea[];
  v_sealed_at text := audit_instant(p_now);
begin
  if p_rest_ms > 0 and (
    select u.written_at between clock_timestamp() - p_rest_ms * interval '1 millisecond' and clock_timestamp()
      from audit_unsealed u order by u.written_at, u.organization_id, u.id limit 1) then
    return 0;
  end if;

  select array_agg(u) into v_waiting
    from (select * from audit_unsealed order by written_at limit p_limit) u;
  if v_waiting is null then return 0; end if;

  -- Skips organizations that another process is sealing. A lock is released only after its holder commits, so the
  -- statements below see the holder's seals.
  select array_agg(o.id) into v_mine
    from (select distinct w.organization_id as id from unnest(v_waiting) w) o
    where pg_try_advisory_xact_lock(hashtext('seal_audit_entries'), hashtext(o.id::text));

  with taken as (
    -- A queue row without its entry stays as evidence of a deletion; the verification reports it.
    delete from audit_unsealed u using unnest(v_waiting) w, audit_entries e
      where w.organization_id = any (v_mine)
        and u.written_at = w.written_at and u.organization_id = w.organization_id and u.id = w.id
        and e.organization_id = u.organization_id and e.id = u.id
      returning e.*)
  select coalesce(array_agg(row(t.organization_id, null, t.id,
      -- Entries without a detail hash as they did before there was one.
      sha256(convert_to(case when t.error_detail is null then netstring('sluice-audit-entry-v1')
            else netstring('sluice-audit-entry-v2') end
          || netstring(t.organization_id::text) || netstring(t.id::text) || netstring(audit_instant(t.created_at))
          || netstring(t.api_key_id::text) || netstring(t.api_key_name) || netstring(t.method) || netstring(t.path)
          || netstring(t.action) || netstring(t.reason) || netstring(t.request_id) || netstring(t.outcome)
          || netstring(t.error_code)
          || case when t.error_detail is null then '' else netstring(t.error_detail) end, 'UTF8')),
      null, p_now)::audit_seals order by t.organization_id, t.id), '{}')
    into v_entries
    from (select distinct * from taken) t
    -- After a restore, entries that are sealed already may be queued again.
    where (select s.entry_id from audit_seals s
      where s.organization_id = t.organization_id and s.entry_id = t.id) is null;

  for i in 1 .. cardinality(v_entries) loop
    if v_entries[i].organization_id is distinct from v_organization_id then
      v_organization_id := v_entries[i].organization_id;
      select s.sequence, s.hash into v_sequence, v_hash from audit_seals s
        where s.organization_id = v_organization_id order by s.sequence desc limit 1;
      if not found then
        v_sequence := 0;
        v_hash := audit_digest('sluice-audit-genesis-v1', v_organization_id::text);
      end if;
    end if;
    v_sequence := v_sequence + 1;
    v_hash := sha256(convert_to(netstring('sluice-audit-seal-v1') || netstring(encode(v_hash, 'hex'))
      || netstring(v_sequence::text) || netstring(v_sealed_at)
      || netstring(encode(v_entries[i].entry_hash, 'hex')), 'UTF8'));
    v_sequences[i] := v_sequence;
    v_hashes[i] := v_hash;
  end loop;
  insert into audit_seals (organization_id, sequence, entry_id, entry_hash, hash, sealed_at)
    select e.organization_id, v_sequences[place], e.entry_id, e.entry_hash, v_hashes[place], p_now
      from unnest(v_entries) with ordinality as e (organization_id, sequence, entry_id, entry_hash, hash, sealed_at, place);
  return cardinality(v_entries);
end $$;

grant execute on function seal_audit_entries to :"app_role";
