-- What people do with accounts, invitations, cards and bank connections is recorded too.
-- while serving: members made a few thousand of these rows at most; the check reads them in milliseconds
alter table organization_changes drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP',
    'SECOND_FACTOR', 'ACCOUNT_RENAMED', 'ACCOUNT_FLOOR', 'ENDPOINT', 'CLOCK_MOVED', 'ACCOUNT_OPENED', 'ACCOUNT_CLOSED',
    'ACCOUNT_REOPENED', 'MEMBER_INVITED', 'INVITATION_WITHDRAWN', 'MEMBER_JOINED', 'CARD_STATUS', 'BANK_DISCONNECTED'));
