-- Moves of a sandbox's clock are listed among the organization's changes.
-- while serving: members made a few thousand of these rows at most; the check reads them in milliseconds
alter table organization_changes drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP',
    'SECOND_FACTOR', 'ACCOUNT_RENAMED', 'ACCOUNT_FLOOR', 'ENDPOINT', 'CLOCK_MOVED'));
