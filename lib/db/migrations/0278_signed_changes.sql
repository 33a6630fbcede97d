-- A policy may ask several people for a payee's account and for a version of a rule: they sign, and the last one confirms or
-- activates it.
alter table signatures drop constraint signatures_subject_kind_check;
alter table signatures add constraint signatures_subject_kind_check
  check (subject_kind in ('PROPOSAL', 'POLICY', 'MANDATE', 'PAYEE', 'RULE')) not valid;
comment on column signatures.subject_id is
'The proposal, the version of the policy, the mandate, the details of a payee, or the rule.';
alter table payee_events drop constraint payee_events_kind_check;
alter table payee_events add constraint payee_events_kind_check
  check (kind in ('PROPOSED', 'DETAILS_GIVEN', 'SIGNED', 'CONFIRMED', 'DECLINED', 'REMOVED', 'INVITED')) not valid;
alter table rule_events drop constraint rule_events_kind_check;
alter table rule_events add constraint rule_events_kind_check
  check (kind in ('ACTIVATED', 'SIGNED', 'DEACTIVATED', 'DISCARDED', 'DELETED', 'PAUSED', 'RESUMED', 'HOOK_MADE', 'HOOK_REMOVED',
    'HOOK_APPROVAL_ON', 'HOOK_APPROVAL_OFF')) not valid;
