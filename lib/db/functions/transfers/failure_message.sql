-- The message that callers get for a transfer that failed with this code. Locks nothing.
create or replace function failure_message(p_error_code text) returns text
language sql immutable as $$
  select case p_error_code
    when 'INSUFFICIENT_FUNDS' then 'The source account did not have enough available money. Nothing moved.'
    when 'BELOW_FLOOR' then 'The transfer would have taken the source account below its floor, which only a person may approve. Nothing moved.'
    when 'ABOVE_OUTGOING_CAP' then 'The transfer would exceed what your organization may send out of Sluice per day. Nothing moved. Request it again tomorrow, or ask an owner to raise or lift the cap in Settings.'
    when 'ACCOUNT_CLOSED' then 'One of the accounts was closed. Nothing moved.'
    when 'PAYEE_CHANGED' then 'The payee was changed after this transfer was accepted and before it left. Nothing moved. Request it again.'
    when 'BALANCE_UNAVAILABLE' then 'The balance of the source account is not known at the moment. Nothing moved.'
    else 'The bank refused or returned the transfer (' || p_error_code || '). Nothing moved.'
  end
$$;
