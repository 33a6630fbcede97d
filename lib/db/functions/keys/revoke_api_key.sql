-- Ends a key or an assistant for good: denies its waiting proposals, fails its runs without a plan, cancels its
-- transfers that have not left, ends its mandates, deletes its tokens and known networks. REVOKED | ALREADY | MAY_NOT (members: owners, co-owners, and for an
-- assistant who connected it) | MISSING | NOT_ENDED (its grace is not over). p_now: business time.
-- Locks the key FOR UPDATE, the membership FOR SHARE, its mandates, tokens, proposals, runs, transfers, their ledgers, then the
-- transfers' runs (settle_execution); proposals, runs, transfers and ledgers each in id order.
create or replace function revoke_api_key(p_organization_id uuid, p_id uuid, p_revoked_by uuid, p_because text,
  p_now timestamptz)
returns table (outcome text, denied_proposals integer, stopped_transfers integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_key api_keys;
  v_denied uuid[];
  v_stopped transfers[];
  v_transfer transfers;
begin
  denied_proposals := 0;
  stopped_transfers := 0;
  -- Waits for every request and decision that holds the key FOR KEY SHARE; later ones find it revoked.
  select * into v_key from api_keys k where k.organization_id = p_organization_id and k.id = p_id for update;
  if not found then
    outcome := 'MISSING';
    return next;
    return;
  end if;
  if (p_revoked_by is null) = (p_because = 'MEMBER') then raise exception 'a member revokes, and nobody else'; end if;
  if p_because = 'MEMBER' then
    perform 1 from memberships m
      where m.organization_id = p_organization_id and m.user_id = p_revoked_by
        and (m.role in ('OWNER', 'CO_OWNER') or (v_key.client_id is not null and v_key.created_by = p_revoked_by))
      for share;
    if not found then
      outcome := 'MAY_NOT';
      return next;
      return;
    end if;
  end if;
  if v_key.revoked_at is not null then
    outcome := 'ALREADY';
    return next;
    return;
  end if;
  if p_because = 'REPLACED' and (v_key.ends_at is null or v_key.ends_at > p_now) then
    outcome := 'NOT_ENDED';
    return next;
    return;
  end if;

  update api_keys k set revoked_at = p_now, revoked_by = p_revoked_by, revoked_because = p_because
    where k.organization_id = p_organization_id and k.id = p_id;
  perform from mandates m where m.organization_id = p_organization_id and m.api_key_id = p_id
    and m.state in ('WAITING', 'IN_FORCE') order by m.id for update;
  update mandates m set state = case m.state when 'IN_FORCE' then 'ENDED' else 'DENIED' end, ended_at = p_now,
      end_reason = 'KEY_ENDED'
    where m.organization_id = p_organization_id and m.api_key_id = p_id and m.state in ('WAITING', 'IN_FORCE');
  delete from oauth_records r where r.grant_id = p_id;
  delete from key_networks n where n.organization_id = p_organization_id and n.api_key_id = p_id;

  perform 1 from proposals p
    where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING' and p.expires_at > p_now
    order by p.id for no key update;
  -- Proposals past their expiry are left to expire_proposals, which records them as EXPIRED.
  with denied as (
    update proposals p set state = 'REVOKED', decided_at = p_now, remind_at = null
      where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING'
        and p.expires_at > p_now
      returning p.id)
  select coalesce(array_agg(d.id), '{}') into v_denied from denied d;
  perform deny_transfers(p_organization_id, v_denied, p_now);

  -- Only runs without a plan. Runs with one end with their transfers: a booking locks a transfer before its run.
  perform 1 from rule_executions e
    where e.organization_id = p_organization_id and e.started_by_id = p_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and e.due_at is not null
    order by e.id for update;
  update rule_executions e set status = 'FAILED', due_at = null, next_attempt_at = null, ended_at = p_now,
      error_message = case
        when v_key.client_id is null then 'The key that asked for this run was revoked before it began. Nothing moved.'
        else 'The assistant that asked for this run was disconnected before it began. Nothing moved.' end
    where e.organization_id = p_organization_id and e.started_by_id = p_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and e.due_at is not null;

  -- Waits for a booking or lease of these transfers; one that has left meanwhile no longer matches.
  select array_agg(s order by s.id) into v_stopped from (
    select t.* from transfers t
      where t.organization_id = p_organization_id and t.next_step in ('BOOK', 'SUBMIT')
        and t.id in (select stoppable_transfers(p_organization_id, p_id))
      order by t.id for update) s;
  v_stopped := coalesce(v_stopped, array[]::transfers[]);
  perform 1 from ledgers l
    where l.organization_id = p_organization_id and l.id in (select u.source_account_id from unnest(v_stopped) u)
    order by l.id for update;
  foreach v_transfer in array v_stopped loop
    perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
  end loop;
  update transfers t set cancelled_by = p_revoked_by
    where t.organization_id = p_organization_id and t.id in (select u.id from unnest(v_stopped) u)
      and p_revoked_by is not null;
  update rule_deactivation_proposals p set state = 'REVOKED', decided_at = p_now
    where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING' and p.expires_at > p_now;

  outcome := 'REVOKED';
  denied_proposals := cardinality(v_denied);
  stopped_transfers := cardinality(v_stopped);
  return next;
end $$;

grant execute on function revoke_api_key to :"app_role";
