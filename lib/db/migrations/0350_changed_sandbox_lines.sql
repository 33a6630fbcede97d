-- The sandbox bank may also change a line that it reported before.
alter table sandbox_bank_faults add column changed_from timestamptz;
alter table sandbox_bank_faults add column changed_by_in_cents bigint;
comment on column sandbox_bank_faults.changed_from is
'Business time from which the bank says another amount of a line that it reports rightly until then.';
alter table sandbox_bank_faults drop constraint sandbox_bank_faults_kind_check;
alter table sandbox_bank_faults add constraint sandbox_bank_faults_kind_check
  check (kind in ('LOST', 'DOUBLED', 'DELAYED', 'REORDERED', 'CHANGED')) not valid;
alter table sandbox_bank_faults add constraint changes_are_whole check (
  (kind = 'CHANGED') = (changed_from is not null)
  and (kind = 'CHANGED') = (coalesce(changed_by_in_cents, 0) <> 0)) not valid;
