-- Owners and co-owners are notified of rules that keys and assistants propose.
-- while serving: notices are deleted with their messages after 90 days; the check reads the rest in milliseconds
alter table notices drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED', 'WEEK', 'KEY_UNUSUAL',
    'RULE_PROPOSED'));
-- while serving: members made a few of these rows each; the check reads them in milliseconds
alter table notification_preferences drop constraint notification_preferences_topic_check,
  add constraint notification_preferences_topic_check check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS',
    'ENDPOINTS', 'SECURITY', 'GATES', 'WEEK', 'UNUSUAL_USE', 'RULE_PROPOSALS'));
