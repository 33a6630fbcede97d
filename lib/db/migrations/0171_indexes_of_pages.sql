-- outside a transaction: proposals and rule_events are written while these are made
-- Decisions are counted by state and day, for a chart and for the yearly review, without reading the proposals.
create index concurrently proposals_by_decision on proposals (organization_id, decided_at desc) include (state)
  where state <> 'WAITING';
drop index concurrently if exists proposals_decided;
-- Every open page asks which versions were never active.
create index concurrently rule_events_of_activation on rule_events (organization_id, rule_id, version)
  where kind = 'ACTIVATED';
