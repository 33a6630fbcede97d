alter table adopted_bank_accounts add column opening_in_cents bigint, add column opened_at timestamptz;
comment on column adopted_bank_accounts.opening_in_cents is 'What it held when deposits began to go to an income source: its statement begins with it. Null: adopted before this was kept.';
comment on column adopted_bank_accounts.opened_at is 'Business time of opening_in_cents.';
grant update (opening_in_cents, opened_at) on adopted_bank_accounts to :"app_role";
