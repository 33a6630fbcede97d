-- Which secret of the product the database is written with, so that a wrong one is noticed at the start, and its replacement.
create table product_secrets (
  is_only              boolean primary key default true check (is_only),
  fingerprint          text not null check (fingerprint ~ '^[0-9a-f]{16}$'),
  previous_fingerprint text check (previous_fingerprint ~ '^[0-9a-f]{16}$' and previous_fingerprint <> fingerprint),
  began_at             timestamptz,
  renewed_count        bigint not null default 0,
  remaining_count      bigint,
  unreadable_count     bigint,
  clean_since          timestamptz,
  finished_at          timestamptz,
  check ((previous_fingerprint is null) = (began_at is null)),
  check (finished_at is null or began_at is not null)
);
comment on table product_secrets is
'Which SLUICE_SECRET new values are encrypted with, and how far its replacement is. One row, written by the first start.';
comment on column product_secrets.fingerprint is 'Reveals nothing about the secret; also in the header of each backup.';
comment on column product_secrets.previous_fingerprint is 'Of the secret that is being replaced, or was replaced last.';
comment on column product_secrets.remaining_count is 'Values that the last look found under the previous secret; null: none yet.';
comment on column product_secrets.unreadable_count is 'Values that neither secret decrypts.';
comment on column product_secrets.clean_since is 'Since when no look has found any. Real time, like all times here.';
comment on column product_secrets.finished_at is 'Since when the previous secret is no longer needed.';
grant select, insert, update on product_secrets to :"app_role";

create table kept_keys (
  purpose    text primary key check (length(purpose) between 1 and 100),
  sealed_key bytea not null check (length(sealed_key) between 30 and 400)
);
comment on table kept_keys is
'Keys that derive from the first secret and outlive it, encrypted under the present one: what they made cannot be made again.';
grant select, insert, update, delete on kept_keys to :"app_role";
