-- What members change of accounts and endpoints stands with what they change of the organization (docs/decisions.md).

-- while serving: what members change of their organization, by hand
alter table organization_changes
  drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP',
    'SECOND_FACTOR', 'ACCOUNT_RENAMED', 'ACCOUNT_FLOOR', 'ENDPOINT'));
