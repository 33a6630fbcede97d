-- Seals queued audit entries, oldest first, at most p_limit; returns how many. p_now: real time.
-- Tries one advisory lock per organization and skips those held: two sealers would continue the chain from the same
-- seal.
-- Scan and join settings: the plan is cached while the tables grow from empty to millions of rows. With a plan for
-- small tables each entry scanned all seals, and a batch of 500 took seconds until the next analyze.
create or replace function seal_audit_entries(p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_waiting audit_unsealed[];
  v_mine uuid[];
  v_entry audit_entries;
  v_organization_id uuid;
  v_sequence bigint;
  v_texts text[];
  v_entry_hash bytea;
  v_hash bytea;
  v_sealed_at text := audit_instant(p_now);
  v_count integer := 0;
begin
  select array_agg(u) into v_waiting
    from (select * from audit_unsealed order by written_at limit p_limit) u;
  if v_waiting is null then return 0; end if;

  -- Skips organizations that another process is sealing. A lock is released only after its holder commits, so the
  -- statements below see the holder's seals.
  select array_agg(o.id) into v_mine
    from (select distinct w.organization_id as id from unnest(v_waiting) w) o
    where pg_try_advisory_xact_lock(hashtext('seal_audit_entries'), hashtext(o.id::text));

  for v_entry in
    with taken as (
      -- A queue row without its entry stays as evidence of a deletion; the verification reports it.
      delete from audit_unsealed u using unnest(v_waiting) w, audit_entries e
        where w.organization_id = any (v_mine)
          and u.written_at = w.written_at and u.organization_id = w.organization_id and u.id = w.id
          and e.organization_id = u.organization_id and e.id = u.id
        returning e.*)
    -- After a restore, entries that are sealed already may be queued again.
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
    v_texts := array[v_entry.organization_id::text, v_entry.id::text, audit_instant(v_entry.created_at),
      v_entry.api_key_id::text, v_entry.api_key_name, v_entry.method, v_entry.path, v_entry.action, v_entry.reason,
      v_entry.request_id, v_entry.outcome, v_entry.error_code];
    -- Entries without a detail hash as they did before there was one.
    v_entry_hash := case when v_entry.error_detail is null
      then audit_digest(variadic array['sluice-audit-entry-v1'] || v_texts)
      else audit_digest(variadic array['sluice-audit-entry-v2'] || v_texts || v_entry.error_detail) end;
    v_hash := audit_digest('sluice-audit-seal-v1', encode(v_hash, 'hex'), v_sequence::text, v_sealed_at,
      encode(v_entry_hash, 'hex'));
    insert into audit_seals (organization_id, sequence, entry_id, entry_hash, hash, sealed_at)
      values (v_organization_id, v_sequence, v_entry.id, v_entry_hash, v_hash, p_now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

grant execute on function seal_audit_entries to :"app_role";
