-- For each of these accounts, those of the organization that are the same bank account, itself among them: two payees, or a
-- payee and a registered account, with the same numbers are one destination in a window of the policy. Locks nothing.
create or replace function same_destinations(p_organization_id uuid, p_account_ids uuid[])
returns table (account_id uuid, same_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with numbered as (
    select a.id, account_key_of(coalesce(p.account_key, r.account_key),
        coalesce(a.routing_number_last4, r.routing_number_last4),
        coalesce(a.account_number_last4, r.account_number_last4)) as account_key
      from accounts a
      left join payees p on p.organization_id = a.organization_id and p.id = a.id
      left join registered_accounts r on r.organization_id = a.organization_id and r.account_id = a.id
     where a.organization_id = p_organization_id and a.type = 'EXTERNAL_ACCOUNT'
       and coalesce(a.account_number_last4, r.account_number_last4) is not null)
  select asked.id, asked.id from unnest(p_account_ids) as asked (id)
  union
  select mine.id, other.id from numbered mine join numbered other using (account_key) where mine.id = any (p_account_ids)
$$;

grant execute on function same_destinations to :"app_role";
