-- A rule's name belongs to its version, in whose definition it stands. `rules.name` is what the rule is called wherever
-- it runs, is approved, listed and emailed: the active version's name, or the latest one's where none is active. Kept
-- here, and not by whoever writes, so that an older Sluice that serves meanwhile cannot rename what runs.
create function name_what_runs() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  -- An edit writes the rule before its version: until then the version's name is the one that was given.
  new.name := coalesce((
    select v.definition ->> 'name' from rule_versions v
     where v.organization_id = new.organization_id and v.rule_id = new.id
       and v.version = coalesce(new.active_version, new.latest_version)), new.name);
  return new;
end $$;
create trigger rules_name_what_runs before update of name, latest_version, active_version on rules for each row
  execute function name_what_runs();

-- while serving: an organization has a few dozen rules, and only those with an active and a newer version are written.
update rules set name = name where active_version <> latest_version;
