-- Refuses a program the same request again, as the denial of a proposal says: until ask_again_after, or for good. Of two
-- denials the longer one counts. Nothing without such a reason, or if no key asked for it. A key that replaced this one is
-- refused it as well.
-- Locks the row of the request. The caller holds the proposal.
create or replace function hold_denied_request(p_organization_id uuid, p_proposal_id uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  with recursive callers as (
    select p.api_key_id as id from proposals p
     where p.organization_id = p_organization_id and p.id = p_proposal_id and p.api_key_id is not null
    union
    select k.replaced_by from callers c join api_keys k on k.organization_id = p_organization_id and k.id = c.id
     where k.replaced_by is not null)
  insert into denied_requests as d (organization_id, api_key_id, request, proposal_id, ends_at)
    select p.organization_id, c.id, case p.kind
          when 'TRANSFER' then concat_ws(' ', t.source_account_id, t.destination_account_id,
            coalesce(p.requested_amount_in_cents, t.amount_in_cents))
          else concat_ws(' ', e.rule_id, coalesce(e.base ->> 'incomingAmountInCents', '-')) end, p.id, p.ask_again_after
      from proposals p
      cross join callers c
      left join transfers t on t.organization_id = p.organization_id and t.id = p.id
      left join rule_executions e on e.organization_id = p.organization_id and e.id = p.id
     where p.organization_id = p_organization_id and p.id = p_proposal_id
       and p.denial_reason in ('NOT_NOW', 'DO_NOT_ASK_AGAIN')
       and (p.kind = 'TRANSFER' or e.started_by_kind = 'API_KEY' and e.started_by_id = p.api_key_id)
    on conflict (organization_id, api_key_id, request) do update set proposal_id = excluded.proposal_id,
        ends_at = excluded.ends_at
      where d.ends_at is not null and (excluded.ends_at is null or excluded.ends_at > d.ends_at)
$$;
