-- Programs take back what they requested themselves.
alter table proposals drop constraint proposals_state_check,
  add constraint proposals_state_check check (state in ('WAITING', 'APPROVED', 'DENIED', 'EXPIRED', 'REVOKED',
    'RULE_CHANGED', 'WITHDRAWN')) not valid;
alter table transfers add column withdrawn_at timestamptz;
comment on column transfers.withdrawn_at is
'When the program that requested it, or its run, canceled it after it was accepted. Null: it did not.';
alter table rule_executions add column withdrawn_at timestamptz;
comment on column rule_executions.withdrawn_at is
'When the program that started it canceled what had not left. Null: it did not.';
