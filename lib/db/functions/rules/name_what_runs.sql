-- Trigger: keeps `rules.name` the name of the active version, or of the latest if none is active, since a name belongs
-- to its version. In the database, so that an older Sluice that still serves cannot rename what runs. Locks nothing.
create or replace function name_what_runs() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  -- An edit writes the rule before its version; until then the given name applies.
  new.name := coalesce((
    select v.definition ->> 'name' from rule_versions v
     where v.organization_id = new.organization_id and v.rule_id = new.id
       and v.version = coalesce(new.active_version, new.latest_version)), new.name);
  return new;
end $$;

create or replace trigger rules_name_what_runs before update of name, latest_version, active_version on rules for each row
  execute function name_what_runs();
