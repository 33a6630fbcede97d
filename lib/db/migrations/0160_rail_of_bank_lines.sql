-- How the money of a line of the bank's statement traveled; null for lines read before.
alter table bank_lines
  add column rail text,
  add constraint bank_lines_rail_check check (rail in ('ACH', 'WIRE', 'INSTANT', 'CHECK', 'BOOK')) not valid;
comment on column bank_lines.rail is 'Null: it did not travel, as a fee or a card''s purchase; or the bank does not say.';
