-- Yearly reviews of fraud monitoring: the written process and the alerts as an owner signed them.
create table fraud_reviews (
  organization_id uuid not null,
  id              uuid not null,
  text            text not null check (length(text) between 1 and 200000),
  digest          bytea not null,
  note            text check (length(note) between 1 and 1000),
  signed_by       uuid not null,
  signed_by_name  text not null check (length(signed_by_name) <= 200),
  signed_at       timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (signed_by) references users (id),
  constraint fraud_reviews_are_whole check (digest = sha256(convert_to(text, 'UTF8')))
);
comment on table fraud_reviews is 'Signed yearly reviews of fraud monitoring; written once.';
comment on column fraud_reviews.text is 'The process and the alerts of the year before, as signed (words/fraud-process.ts).';
comment on column fraud_reviews.digest is 'SHA-256 of the text.';
comment on column fraud_reviews.signed_by_name is 'At the time.';
comment on column fraud_reviews.signed_at is 'Business time.';
grant insert, select on fraud_reviews to :"app_role";
