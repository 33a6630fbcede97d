-- A summary of the week for owners and co-owners who have not switched it off: Monday, 08:00 in the organization's zone.

alter table organizations
  -- Business time; null until the worker has looked at this organization for the first time.
  add column week_due_at timestamptz;

-- The next Monday, 08:00, after p_now on the clocks of p_time_zone. A zone that this server does not know (its tables may
-- be older than the browser that named it) must not keep everybody else's week from being told.
create function next_week_at(p_time_zone text, p_now timestamptz) returns timestamptz
language plpgsql stable as $$
declare
  v_local timestamp;
  v_next timestamp;
begin
  v_local := p_now at time zone p_time_zone;
  v_next := date_trunc('week', v_local) + interval '8 hours';
  if v_next <= v_local then
    v_next := v_next + interval '7 days';
  end if;
  return v_next at time zone p_time_zone;
exception when invalid_parameter_value then
  return p_now + interval '7 days';
end
$$;
grant execute on function next_week_at to :"app_role";

alter table notices
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED', 'WEEK'));
alter table notification_preferences
  drop constraint notification_preferences_topic_check,
  add constraint notification_preferences_topic_check
    check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS', 'ENDPOINTS', 'SECURITY', 'GATES', 'WEEK'));
