-- A member may approve less than a program asked. The transfer then has the amount that moves.
alter table proposals
  add column requested_amount_in_cents bigint,
  add constraint proposals_requested_amount_check check (requested_amount_in_cents is null
    or requested_amount_in_cents > 0 and kind = 'TRANSFER') not valid;
comment on column proposals.requested_amount_in_cents is
'What its program asked, where a member approves less; null: the transfer''s own amount.';
