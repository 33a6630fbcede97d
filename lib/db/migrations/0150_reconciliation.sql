-- Reconciliation: the bank's statement line by line beside the entries that cross the border of the managed accounts.
create table bank_lines (
  organization_id   uuid not null,
  line_reference    text not null check (length(line_reference) between 1 and 200),
  booked_at         timestamptz not null,
  day               date not null,
  amount_in_cents   bigint not null check (amount_in_cents <> 0),
  kind              text not null check (kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT', 'DEPOSIT_RETURN', 'CARD', 'FEE',
    'INTEREST', 'OTHER')),
  transfer_id       uuid,
  deposit_reference text check (length(deposit_reference) <= 200),
  card_reference    text check (length(card_reference) <= 200),
  description       text not null check (length(description) <= 200),
  read_at           timestamptz not null,
  primary key (organization_id, line_reference),
  foreign key (organization_id) references organizations (id)
);
comment on table bank_lines is 'Lines of the bank''s statement as it reported them; written once.';
comment on column bank_lines.day is 'The banking day of booked_at.';
comment on column bank_lines.transfer_id is 'As the bank says; need not exist here.';
grant insert, select on bank_lines to :"app_role";

create table bank_matches (
  organization_id uuid not null,
  line_reference  text not null,
  entry_id        uuid not null,
  matched_at      timestamptz not null,
  primary key (organization_id, line_reference),
  unique (organization_id, entry_id),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference),
  foreign key (organization_id, entry_id) references entries (organization_id, id)
);
comment on table bank_matches is 'Which line is which entry: of one cause, though amount or date may differ.';
grant insert, select on bank_matches to :"app_role";

create table bank_differences (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('MISSING_HERE', 'MISSING_AT_BANK', 'DIFFERENT_AMOUNT', 'DIFFERENT_DATE')),
  line_reference  text,
  entry_id        uuid,
  bank_in_cents   bigint not null,
  books_in_cents  bigint not null,
  day             date not null,
  differs_from    date not null,
  found_at        timestamptz not null,
  state           text not null check (state in ('EXPECTED', 'OPEN', 'RESOLVED')),
  opened_at       timestamptz,
  asked_bank_at   timestamptz,
  resolution      text check (resolution in ('ARRIVED', 'CANCELED_OUT', 'MATCHED_BY_HAND', 'BOOKED', 'ACCEPTED')),
  resolved_at     timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference),
  foreign key (organization_id, entry_id) references entries (organization_id, id),
  constraint differences_have_their_sides check (
    (line_reference is null) = (kind = 'MISSING_AT_BANK') and (entry_id is null) = (kind = 'MISSING_HERE')),
  constraint differences_end_once check ((state = 'RESOLVED') = (resolution is not null)
    and (state = 'RESOLVED') = (resolved_at is not null)),
  constraint differences_open_once check (state <> 'OPEN' or opened_at is not null)
);
comment on table bank_differences is 'Lines and entries without each other, or that disagree. Never deleted; only how it was resolved is added.';
comment on column bank_differences.day is 'Banking day of the line, else of the entry.';
comment on column bank_differences.differs_from is 'Until this banking day, settlement explains it (EXPECTED).';
create unique index bank_differences_of_line on bank_differences (organization_id, line_reference)
  where (line_reference is not null and resolution is distinct from 'ARRIVED');
create unique index bank_differences_of_entry on bank_differences (organization_id, entry_id)
  where (entry_id is not null and resolution is distinct from 'ARRIVED');
create index bank_differences_unresolved on bank_differences (organization_id, id) where (state <> 'RESOLVED');
create index bank_differences_resolved on bank_differences (organization_id, resolved_at desc, id desc)
  where (state = 'RESOLVED' and opened_at is not null);
create index bank_differences_open on bank_differences (opened_at) where (state = 'OPEN');
grant insert, select on bank_differences to :"app_role";
grant update (differs_from, state, opened_at, asked_bank_at, resolution, resolved_at) on bank_differences to :"app_role";

create table bank_difference_events (
  organization_id uuid not null,
  id              uuid not null,
  difference_id   uuid not null,
  kind            text not null check (kind in ('OPENED', 'ASKED_BANK', 'ARRIVED', 'CANCELED_OUT',
    'MATCHED_BY_HAND', 'BOOKED', 'ACCEPTED')),
  by_id           uuid,
  by_name         text check (length(by_name) <= 200),
  at              timestamptz not null,
  note            text check (length(note) between 1 and 1000),
  transfer_id     uuid,
  other_id        uuid,
  primary key (organization_id, id),
  foreign key (organization_id, difference_id) references bank_differences (organization_id, id),
  foreign key (organization_id, other_id) references bank_differences (organization_id, id),
  foreign key (by_id) references users (id),
  constraint events_name_who check ((by_id is null) = (by_name is null))
);
comment on table bank_difference_events is 'What happened to a difference and who did it; written once.';
comment on column bank_difference_events.by_id is 'Null: the reconciliation itself.';
comment on column bank_difference_events.transfer_id is 'Of BOOKED: what was booked.';
comment on column bank_difference_events.other_id is 'Of CANCELED_OUT and MATCHED_BY_HAND: the difference on the other side.';
create index bank_difference_events_of_difference on bank_difference_events (organization_id, difference_id, id);
grant insert, select on bank_difference_events to :"app_role";

create table reconciliations (
  organization_id     uuid not null,
  due_at              timestamptz not null,
  leased_until        timestamptz,
  lease_token         uuid,
  waits               integer not null default 0,
  retries             integer not null default 0,
  phase               text not null default 'LINES' check (phase in ('LINES', 'ENTRIES', 'WAITING', 'PROOF')),
  lines_from          timestamptz,
  lines_cursor        text check (length(lines_cursor) <= 1000),
  items_after         uuid,
  asked_at            timestamptz,
  reconciled_at       timestamptz,
  bank_in_cents       bigint,
  books_in_cents      bigint,
  expected_in_cents   bigint,
  open_in_cents       bigint,
  unexplained_in_cents bigint,
  new_lines           integer not null default 0,
  new_matches         integer not null default 0,
  primary key (organization_id),
  foreign key (organization_id) references organizations (id),
  constraint reconciliations_are_whole check (num_nulls(reconciled_at, bank_in_cents, books_in_cents,
    expected_in_cents, open_in_cents, unexplained_in_cents) in (0, 6))
);
comment on table reconciliations is 'Where an organization''s reconciliation is, and how the last one ended.';
comment on column reconciliations.due_at is 'Business time.';
comment on column reconciliations.leased_until is 'Real time.';
comment on column reconciliations.waits is 'How often it waited for bank notices still to be applied.';
comment on column reconciliations.retries is 'How often it began again because money moved while it compared.';
comment on column reconciliations.lines_from is 'Of the statement that is being read; null: none is.';
comment on column reconciliations.items_after is 'The last entry or difference of this phase that was compared.';
comment on column reconciliations.new_lines is 'Since the last proof, like new_matches.';
comment on column reconciliations.expected_in_cents is 'Bank less books of what settlement explains.';
comment on column reconciliations.open_in_cents is 'Bank less books of open differences.';
comment on column reconciliations.unexplained_in_cents is 'The rest; 0 unless the statement does not add up to the balance.';
create index reconciliations_due on reconciliations (due_at);
grant insert, select, update on reconciliations to :"app_role";

create table reconciliation_days (
  organization_id      uuid not null,
  day                  date not null,
  sequence             bigint not null check (sequence >= 1),
  reconciled_at        timestamptz not null,
  bank_in_cents        bigint not null,
  books_in_cents       bigint not null,
  expected_in_cents    bigint not null,
  open_in_cents        bigint not null,
  unexplained_in_cents bigint not null,
  line_count           integer not null check (line_count >= 0),
  matched_count        integer not null check (matched_count >= 0),
  expected_count       integer not null check (expected_count >= 0),
  open_count           integer not null check (open_count >= 0),
  hash                 bytea not null check (length(hash) = 32),
  primary key (organization_id, day),
  unique (organization_id, sequence),
  foreign key (organization_id) references organizations (id),
  constraint days_add_up check (bank_in_cents - books_in_cents = expected_in_cents + open_in_cents + unexplained_in_cents)
);
comment on table reconciliation_days is 'The proof of each banking day, sealed: its hash covers the day and the hash of the day before (seal_reconciliation_day).';
comment on column reconciliation_days.line_count is 'Lines read for the first time since the proof before.';
comment on column reconciliation_days.matched_count is 'Lines and entries matched since the proof before.';
grant select on reconciliation_days to :"app_role";

-- while serving: notices are deleted with their messages after 90 days; the check reads the rest in milliseconds
alter table notices drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED', 'WEEK', 'KEY_UNUSUAL',
    'RULE_PROPOSED', 'ACCOUNT_CORRECTED', 'PAYEE_CHANGED', 'OUTGOING_CAP_CHANGED', 'BANK_DIFFERENCE'));
-- while serving: members made a few of these rows each; the check reads them in milliseconds
alter table notification_preferences drop constraint notification_preferences_topic_check,
  add constraint notification_preferences_topic_check check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS',
    'ENDPOINTS', 'SECURITY', 'GATES', 'WEEK', 'UNUSUAL_USE', 'RULE_PROPOSALS', 'PAYEES', 'RECONCILIATION'));

create table sandbox_bank_lines (
  organization_id uuid not null,
  line_reference  uuid not null,
  kind            text not null check (kind in ('FEE', 'INTEREST', 'OTHER')),
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  description     text not null check (length(description) between 1 and 200),
  booked_at       timestamptz not null,
  primary key (organization_id, line_reference)
);
comment on table sandbox_bank_lines is 'What the bank books on its own: fees, interest, corrections.';
grant insert, select on sandbox_bank_lines to :"app_role";

create table sandbox_bank_faults (
  organization_id  uuid not null,
  notice_reference uuid not null,
  kind             text not null check (kind in ('LOST', 'DOUBLED', 'DELAYED', 'REORDERED')),
  again_reference  uuid,
  delayed_until    timestamptz,
  primary key (organization_id, notice_reference),
  foreign key (organization_id, notice_reference) references sandbox_bank_notices (organization_id, notice_reference)
    on delete cascade,
  constraint faults_are_whole check ((kind = 'DOUBLED') = (again_reference is not null)
    and (kind in ('DELAYED', 'REORDERED')) = (delayed_until is not null))
);
comment on table sandbox_bank_faults is 'Mistakes of the bank in its statement and its balance, made on purpose: of a line that a notice would have.';
comment on column sandbox_bank_faults.kind is 'DELAYED: appears later, dated then. REORDERED: appears later, behind lines of later days.';
comment on column sandbox_bank_faults.again_reference is 'Of the second line.';
grant insert, select on sandbox_bank_faults to :"app_role";
