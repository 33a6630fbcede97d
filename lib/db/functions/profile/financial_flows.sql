-- Every settled flow of an organization between p_from and p_to, both inclusive, each once. INCOME; SPENDING, with
-- refunds negative; SAVING: moved into savings (pods with a target, outside accounts that invest or are called
-- savings), negative when moved out. A deposit from outside is income, not saving: nobody moved it.
-- One SQL statement, so that PostgreSQL inlines it into the calling query. Locks nothing.
create or replace function financial_flows(p_organization_id uuid, p_from timestamptz, p_to timestamptz)
returns table (
  id uuid, at timestamptz, kind text, amount_in_cents bigint, category text, has_category boolean, fee_kind text,
  stream_key text
)
language sql stable as $$
  with own as materialized (select * from own_movements(p_organization_id, p_from, p_to)),
  saving as materialized (
    select id from accounts
     where organization_id = p_organization_id
       and (savings_target_in_cents is not null or external_account_type = 'INVESTMENT'
         or external_account_type = 'DEPOSITORY' and name ~* '\msavings?\M')),
  outside as materialized (
    select e.id, e.account_id, e.transaction_date as at, e.direction, e.amount_in_cents, e.category, e.fee_kind,
        e.stream_key, e.merchant_name is not null as has_merchant, a.external_account_type as account_type,
        -- A transaction linked to one of our transfers counts with that transfer.
        e.transfer_id is not null or e.id in (select own.id from own) as is_own
      from external_transactions e
      join accounts a on a.organization_id = e.organization_id and a.id = e.account_id
     where e.organization_id = p_organization_id and e.vanished_at is null and e.status = 'COMPLETE'
       and e.transaction_date between p_from and p_to),
  -- Uncategorized money in that undoes a purchase: same account, merchant and amount, within 120 days.
  credits as materialized (
    select id, account_id, stream_key, amount_in_cents, at from outside
     where direction = 'MONEY_IN' and has_merchant and not is_own and (category is null or category = 'OTHER')),
  undone as materialized (
    select credits.id, min(coalesce(purchase.category, 'OTHER')) as category
      from credits
      join outside purchase on purchase.account_id = credits.account_id
        and purchase.stream_key = credits.stream_key and purchase.amount_in_cents = credits.amount_in_cents
        and purchase.at between credits.at - interval '120 days' and credits.at
     where purchase.direction = 'MONEY_OUT' and purchase.account_type <> 'INVESTMENT' and purchase.has_merchant
       and not purchase.is_own
       -- Leaves few rows to join.
       and purchase.amount_in_cents in (select credits.amount_in_cents from credits)
     group by credits.id),
  classified as (
    select o.*, undone.category as undone_category,
        case
          when o.is_own then
            case when o.account_id in (select saving.id from saving)
              and o.id in (select own.id from own where not own.is_of_transfer) then 'SAVING' end
          when o.fee_kind is not null then case o.direction when 'MONEY_OUT' then 'SPENDING' else 'REFUND' end
          when o.account_type = 'INVESTMENT' then null
          when o.direction = 'MONEY_OUT' then 'SPENDING'
          when undone.id is not null then 'REFUND'
          when o.category is not null and o.category not in ('OTHER', 'DEBT_AND_FEES') then 'REFUND'
          -- A loan paid out is not income, and other money into a debt account repays the debt.
          when o.account_type = 'DEPOSITORY' and o.category is distinct from 'DEBT_AND_FEES' then 'INCOME'
        end as effect
      from outside o left join undone on undone.id = o.id
    -- OFFSET 0 keeps `effect` from being computed again for each column that uses it.
    offset 0)
  select id, at, case effect when 'REFUND' then 'SPENDING' else effect end,
      case when effect = 'REFUND' or effect = 'SAVING' and direction = 'MONEY_OUT' then -amount_in_cents
        else amount_in_cents end,
      case when effect in ('INCOME', 'SAVING') then null when fee_kind is not null then 'DEBT_AND_FEES'
        else coalesce(undone_category, category, 'OTHER') end,
      category is not null or fee_kind is not null, fee_kind, stream_key
    from classified where effect is not null
  union all
  select id, completed_at, case subtype when 'PAYOUT' then 'INCOME' else 'SPENDING' end,
      case subtype when 'REFUND' then -amount_in_cents else amount_in_cents end,
      case when subtype <> 'PAYOUT' then coalesce(category, 'OTHER') end, category is not null, null, stream_key
    from card_transactions
   where organization_id = p_organization_id and completed_at between p_from and p_to
  union all
  -- Between a managed account and a party outside. Returned transfers are not COMPLETE.
  select t.id, t.completed_at, case t.direction when 'MONEY_IN' then 'INCOME' else 'SPENDING' end, t.amount_in_cents,
      case t.direction when 'MONEY_OUT' then 'OTHER' end, false, null, coalesce(lower(t.counterparty_name), lower(payee.name))
    from transfers t
    left join accounts payee on payee.organization_id = t.organization_id and payee.id = t.destination_account_id
      and payee.is_payee
   where t.organization_id = p_organization_id and t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
     and t.status = 'COMPLETE' and t.completed_at between p_from and p_to
     and (t.source_account_id is null or t.destination_account_id is null or payee.id is not null)
     and t.id not in (select own.id from own)
  union all
  -- Between two own accounts, including a deposit from an own account outside.
  select t.id, t.completed_at, 'SAVING', t.amount_in_cents, null, false, null, null
    from transfers t
   where t.organization_id = p_organization_id and t.destination_account_id = any (array(select saving.id from saving))
     and t.execution_mode = 'LIVE' and t.status = 'COMPLETE' and t.completed_at between p_from and p_to
     and (t.source_account_id is not null or t.id in (select own.id from own))
  union all
  select t.id, t.completed_at, 'SAVING', -t.amount_in_cents, null, false, null, null
    from transfers t
   where t.organization_id = p_organization_id and t.source_account_id = any (array(select saving.id from saving))
     and t.execution_mode = 'LIVE' and t.status = 'COMPLETE' and t.completed_at between p_from and p_to
     and t.destination_account_id is not null and not exists (
       select from accounts payee where payee.organization_id = p_organization_id and payee.id = t.destination_account_id
         and payee.is_payee)
$$;

grant execute on function financial_flows to :"app_role";
