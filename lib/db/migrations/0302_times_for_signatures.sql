-- Signatures under a payee's details or a version of a rule have to come within the time that the policy says, counted from
-- the first one. A row of asked_changes holds it, since nothing else of theirs waits.
comment on column asked_changes.asked_at is 'Of a payee''s details or a rule: when the first signature was given.';
