-- A refresh token counts a second time when its response was lost, and no more (docs/oauth.md).

alter table oauth_records
  -- Of a refresh token: the hash of the one that was exchanged for it. What the old version makes has none.
  add column parent_hash bytea,
  -- Of a refresh token: when it was used again. `consumed_at` is its first use.
  add column retried_at timestamptz;
