-- When an order accepted at p_accepted_at (business time) is handed to the bank. The sandbox bank has a window 60 seconds
-- after each acceptance; until then the order can be canceled.
create or replace function next_bank_window(p_accepted_at timestamptz) returns timestamptz
language sql immutable as $$ select p_accepted_at + interval '60 seconds' $$;
