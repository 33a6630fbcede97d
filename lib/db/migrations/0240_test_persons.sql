-- A program of a sandbox decides as a test person, which the decision says for ever.
alter table proposals drop constraint proposals_decision_method_check;
alter table proposals add constraint proposals_decision_method_check check (decision_method in ('PASSKEY', 'PASSWORD',
  'RECENT_SIGN_IN', 'RECOVERY_CODE', 'TEST_PERSON')) not valid;
