-- Owners and co-owners hear of every assistant that a member connects. The subject: its connection in api_keys.
alter table notices
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE'));
