-- Candidates for own_movements: settled movements without a spending category, fee or linked transfer, plus the sides
-- of own transfers that outside accounts are expected to show; only where an opposite leg of the same amount lies
-- within five days. The order depends on content alone (ids break ties between equal legs), so the pairs are always the
-- same. Locks nothing.
create or replace function movement_legs(p_organization_id uuid, p_from timestamptz, p_to timestamptz) returns setof movement_leg
language sql stable as $$
  with crossing as materialized (
    select * from transfers t
     where t.organization_id = p_organization_id and t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
       and t.status in ('COMPLETE', 'RETURNED') and t.completed_at between p_from and p_to
       -- What a payee receives appears on no account of the organization.
       and t.payee_version is null),
  linked as materialized (
    select e.transfer_id, e.direction from external_transactions e
     where e.organization_id = p_organization_id and e.vanished_at is null and e.transfer_id is not null
       and e.transaction_date between p_from - interval '10 days' and p_to + interval '10 days'),
  -- How each transfer must appear on its outside account; a returned one also appears reversed.
  appearances as (
    select t.id, coalesce(t.source_account_id, t.destination_account_id) as any_account_id,
        case when t.direction = 'MONEY_IN' then t.source_account_id else t.destination_account_id end as account_id,
        case when t.direction = 'MONEY_IN' then 'MONEY_OUT' else 'MONEY_IN' end as direction,
        t.completed_at as at, t.amount_in_cents
      from crossing t where t.source_account_id is not null and t.destination_account_id is not null
    union all
    select t.id, coalesce(t.source_account_id, t.destination_account_id),
        case when t.direction = 'MONEY_IN' then t.source_account_id else t.destination_account_id end,
        t.direction, t.updated_at, t.amount_in_cents
      from crossing t
     where t.status = 'RETURNED' and t.source_account_id is not null and t.destination_account_id is not null),
  legs as (
    select e.id, e.account_id, e.transaction_date as at, e.direction, e.amount_in_cents, false as is_expected,
        e.is_called_movement, coalesce(e.category, '') as content, coalesce(e.stream_key, '') as name
      from external_transactions e
     where e.organization_id = p_organization_id and e.vanished_at is null and e.status = 'COMPLETE'
       and e.transfer_id is null and e.fee_kind is null
       and (e.category is null or e.category in ('OTHER', 'DEBT_AND_FEES'))
       and e.transaction_date between p_from and p_to
    union all
    -- A deposit may come from an own account outside.
    select t.id, t.destination_account_id, t.completed_at, 'MONEY_IN', t.amount_in_cents, false, false, '',
        lower(coalesce(t.counterparty_name, ''))
      from crossing t
     where t.source_account_id is null and t.status = 'COMPLETE'
       and not exists (select from linked l where l.transfer_id = t.id)
    union all
    select a.id, a.account_id, a.at, case when a.direction = 'MONEY_IN' then 'MONEY_OUT' else 'MONEY_IN' end,
        a.amount_in_cents, true, true, '', ''
      from appearances a
     where not exists (select from linked l where l.transfer_id = a.id and l.direction = a.direction)),
  two_sided as (
    select amount_in_cents from legs group by amount_in_cents
    having bool_or(direction = 'MONEY_IN') and bool_or(direction = 'MONEY_OUT')),
  neighbors as (
    select l.*,
        max(at) filter (where direction = 'MONEY_IN') over earlier as last_in,
        max(at) filter (where direction = 'MONEY_OUT') over earlier as last_out,
        min(at) filter (where direction = 'MONEY_IN') over later as next_in,
        min(at) filter (where direction = 'MONEY_OUT') over later as next_out
      from legs l join two_sided using (amount_in_cents)
    window earlier as (partition by amount_in_cents order by at),
      later as (partition by amount_in_cents order by at range between current row and unbounded following))
  select id, account_id, at, direction, amount_in_cents, is_expected, is_called_movement
    from neighbors
   where case direction
       when 'MONEY_IN' then last_out >= at - interval '5 days' or next_out <= at + interval '5 days'
       else last_in >= at - interval '5 days' or next_in <= at + interval '5 days' end
   order by amount_in_cents, at, direction, account_id, content, name, id
$$;

grant execute on function movement_legs to :"app_role";
