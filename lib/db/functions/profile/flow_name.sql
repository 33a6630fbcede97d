-- The payer, payee or merchant of a flow (financial_flows) by its id. Locks nothing.
create or replace function flow_name(p_organization_id uuid, p_id uuid) returns text
language sql stable as $$
  select coalesce(
      (select coalesce(nullif(btrim(e.merchant_name), ''), plain_name(e.description)) from external_transactions e
        where e.organization_id = p_organization_id and e.id = p_id),
      (select plain_name(c.description) from card_transactions c
        where c.organization_id = p_organization_id and c.id = p_id),
      (select t.counterparty_name from transfers t
        where t.organization_id = p_organization_id and t.id = p_id))
$$;

grant execute on function flow_name to :"app_role";
