-- Freezes what these organizations may still send out of Sluice until the commit; nothing for those without a cap.
-- Advisory locks in order of id. The caller holds the ledgers; outside balances and payees come later.
create or replace function lock_outgoing(p_organization_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_id uuid;
begin
  for v_id in select distinct i from unnest(p_organization_ids) i where outgoing_cap(i) is not null order by i loop
    perform pg_advisory_xact_lock(hashtextextended(v_id || '|outgoing', 0));
  end loop;
end $$;

grant execute on function lock_outgoing to :"app_role";
