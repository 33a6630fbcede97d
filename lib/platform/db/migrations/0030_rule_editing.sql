-- Members write rules too: one draft makes one version, however often it is sent.

alter table rule_versions
  -- The draft that it was saved from, which is gone by then; null: an API key wrote it.
  add column draft_id uuid;
create unique index rule_versions_once_by_draft on rule_versions (organization_id, created_by_id, draft_id)
  where draft_id is not null;
