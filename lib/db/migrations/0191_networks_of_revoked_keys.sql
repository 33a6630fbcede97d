-- The networks of a key are compared only while it is used; from here on they end with it (revoke_api_key).
-- while serving: at most a hundred rows of each revoked key, which nothing reads or writes.
delete from key_networks n using api_keys k
  where k.organization_id = n.organization_id and k.id = n.api_key_id and k.revoked_at is not null;
