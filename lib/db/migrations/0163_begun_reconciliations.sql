alter table reconciliations add column begun_at timestamptz;
comment on column reconciliations.begun_at is 'Business time; null: none is under way. Who asks later waits for another.';
