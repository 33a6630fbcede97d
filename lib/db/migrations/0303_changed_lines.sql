-- A line of the statement that the bank changes after it was read is a difference of its own.
create table bank_line_changes (
  organization_id   uuid not null,
  difference_id     uuid not null,
  line_reference    text not null,
  booked_at         timestamptz not null,
  day               date not null,
  amount_in_cents   bigint not null check (amount_in_cents <> 0),
  kind              text not null check (kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT', 'DEPOSIT_RETURN', 'CARD', 'FEE',
    'INTEREST', 'OTHER')),
  transfer_id       uuid,
  deposit_reference text check (length(deposit_reference) <= 200),
  card_reference    text check (length(card_reference) <= 200),
  was_day           date not null,
  was_kind          text not null,
  read_at           timestamptz not null,
  primary key (organization_id, difference_id),
  foreign key (organization_id, difference_id) references bank_differences (organization_id, id),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference)
);
comment on table bank_line_changes is
'What the bank says of a line now that it reported otherwise before; written once.';
comment on column bank_line_changes.difference_id is
'LINE_CHANGED: its two amounts are what the bank says now, and what was kept or accepted before.';
comment on column bank_line_changes.was_day is 'As it was kept or accepted before, like was_kind.';
grant insert, select on bank_line_changes to :"app_role";

-- A line whose object the bank did not show names nothing, until the bank shows it.
create table bank_line_causes (
  organization_id   uuid not null,
  line_reference    text not null,
  kind              text not null check (kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT', 'DEPOSIT_RETURN', 'OTHER')),
  transfer_id       uuid,
  deposit_reference text check (length(deposit_reference) <= 200),
  read_at           timestamptz not null,
  primary key (organization_id, line_reference),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference)
);
comment on table bank_line_causes is
'What a line settles, of which that could not be read when the line was kept; written once.';
grant insert, select on bank_line_causes to :"app_role";

alter table bank_differences drop constraint bank_differences_kind_check;
alter table bank_differences add constraint bank_differences_kind_check
  check (kind in ('MISSING_HERE', 'MISSING_AT_BANK', 'DIFFERENT_AMOUNT', 'DIFFERENT_DATE', 'LINE_CHANGED')) not valid;
alter table bank_differences drop constraint differences_have_their_sides;
alter table bank_differences add constraint differences_have_their_sides check (
  (line_reference is null) = (kind = 'MISSING_AT_BANK')
  and (entry_id is null) = (kind in ('MISSING_HERE', 'LINE_CHANGED'))) not valid;
alter table bank_differences drop constraint bank_differences_resolution_check;
alter table bank_differences add constraint bank_differences_resolution_check
  check (resolution in ('ARRIVED', 'CANCELED_OUT', 'MATCHED_BY_HAND', 'BOOKED', 'ACCEPTED', 'CHANGED_BACK',
    'CHANGED_AGAIN')) not valid;
alter table bank_difference_events drop constraint bank_difference_events_kind_check;
alter table bank_difference_events add constraint bank_difference_events_kind_check
  check (kind in ('OPENED', 'ASKED_BANK', 'ARRIVED', 'CANCELED_OUT', 'MATCHED_BY_HAND', 'BOOKED', 'ACCEPTED',
    'CHANGED_BACK', 'CHANGED_AGAIN')) not valid;
