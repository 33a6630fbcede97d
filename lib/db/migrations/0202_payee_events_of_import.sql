-- outside a transaction: payee_events are written while this is made
create index concurrently payee_events_of_import on payee_events (organization_id, import_id) where import_id is not null;
