-- outside a transaction: the tables are written while these are made
-- Sessions are deleted some time after they expired, however they ended.
create index concurrently sessions_by_expiry on sessions (expires_at);
create index concurrently challenges_by_session on challenges (session_id) where session_id is not null;
create index concurrently push_devices_by_session on push_devices (session_id);
