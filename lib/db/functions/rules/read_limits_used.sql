-- How much of each limit has been used since the first day of its period, in p_time_zone. Accepted, completed and
-- returned transfers count. Locks nothing; runs and decisions call it under the limits' lock of lock_facts.
create or replace function read_limits_used(p_organization_id uuid, p_rule_id uuid, p_limit_ids text[], p_from date[],
  p_time_zone text)
returns table (id text, used_in_cents bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.id, (
      select coalesce(sum(t.amount_in_cents), 0)::bigint from transfers t
        where t.organization_id = p_organization_id and t.rule_id = p_rule_id and t.rule_limit_id = l.id
          and t.accepted_at >= l.from_date::timestamp at time zone p_time_zone
          and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED'))
    from unnest(p_limit_ids, p_from) as l (id, from_date)
$$;

grant execute on function read_limits_used to :"app_role";
