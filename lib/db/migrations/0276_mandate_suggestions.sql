-- On which proposal's page a mandate was suggested for a route of a key, so that it is at most monthly; and where a member
-- switched it off.
create table mandate_suggestions (
  organization_id        uuid not null,
  api_key_id             uuid not null,
  source_account_id      uuid not null,
  destination_account_id uuid not null,
  proposal_id            uuid,
  shown_at               timestamptz,
  switched_off_at        timestamptz,
  primary key (organization_id, api_key_id, source_account_id, destination_account_id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  check ((proposal_id is null) = (shown_at is null)),
  check (shown_at is not null or switched_off_at is not null)
);
comment on table mandate_suggestions is
'Where a mandate was suggested on the page of a proposal (docs/behavior/mandates.md).';
comment on column mandate_suggestions.shown_at is 'Business time; on no other proposal within 30 days.';
grant insert, select, update on mandate_suggestions to :"app_role";
