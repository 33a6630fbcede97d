-- outside a transaction
-- What waits of one key is counted before it may ask for more (0057). Large where years of proposals are kept, so made
-- while they are written.
create index concurrently proposals_waiting_by_key on proposals (organization_id, api_key_id)
  where state = 'WAITING' and api_key_id is not null;
