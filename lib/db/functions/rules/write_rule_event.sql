-- Appends an event to a rule's history. p_event: as for activate_rule. Locks nothing; the caller holds the rule.
create or replace function write_rule_event(p_event jsonb, p_kind text, p_version integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into rule_events (organization_id, id, rule_id, kind, version, by_user_id, method, digest, at)
    values ((p_event ->> 'organizationId')::uuid, (p_event ->> 'eventId')::uuid, (p_event ->> 'ruleId')::uuid, p_kind,
      p_version, (p_event ->> 'userId')::uuid, p_event ->> 'method', p_event ->> 'digest',
      (p_event ->> 'now')::timestamptz)
$$;
