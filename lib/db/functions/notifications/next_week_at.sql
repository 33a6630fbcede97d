-- The first Monday 08:00 after p_now on the clocks of p_time_zone. For a zone that this server does not know (its time
-- zone data may be older than the browser that named the zone) the same moment a week later, so that one organization
-- cannot keep the others from their weekly notice. Locks nothing.
create or replace function next_week_at(p_time_zone text, p_now timestamptz) returns timestamptz
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
