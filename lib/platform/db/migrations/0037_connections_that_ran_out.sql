-- EXPIRED: nobody used what the assistant had to come back with until it ran out, and nothing hung on the connection.
alter table api_keys
  drop constraint api_keys_revoked_because_check,
  add constraint api_keys_revoked_because_check
    check (revoked_because in ('MEMBER', 'REPLACED', 'OPERATOR', 'CLIENT', 'REUSE', 'EXPIRED'));
