-- outside a transaction: rule_events are written while this is made
-- The yearly review counts pauses, which are a few of an organization's many events.
create index concurrently rule_events_of_pauses on rule_events (organization_id, id desc) where kind = 'PAUSED';
