-- A waiting run ends without a decision once its version of the rule no longer runs.
alter table proposals drop constraint proposals_state_check,
  add constraint proposals_state_check check (state in ('WAITING', 'APPROVED', 'DENIED', 'EXPIRED', 'REVOKED',
    'RULE_CHANGED')) not valid;
