-- The message that callers get for a transfer that failed with this code. Locks nothing.
create or replace function failure_message(p_error_code text) returns text
language sql immutable as $$
  select case p_error_code
    when 'INSUFFICIENT_FUNDS' then 'The source account did not have enough available money. Nothing moved.'
    when 'BELOW_FLOOR' then 'The transfer would have taken the source account below its floor, which only a person may approve. Nothing moved.'
    when 'ABOVE_OUTGOING_CAP' then 'The transfer would exceed what your organization may send out of Sluice within 24 hours. Nothing moved. Request it again later, or ask an owner to raise or lift the cap in Settings.'
    when 'ACCOUNT_CLOSED' then 'One of the accounts was closed. Nothing moved.'
    when 'PAYEE_CHANGED' then 'The payee was changed after this transfer was accepted and before it left. Nothing moved. Request it again.'
    when 'BALANCE_UNAVAILABLE' then 'The balance of the source account is not known at the moment. Nothing moved.'
    when 'ACH_R01' then 'The account that the money was drawn from did not have enough (R01). Nothing moved.'
    when 'ACH_R02' then 'The account outside is closed (R02). Nothing moved.'
    when 'ACH_R03' then 'The bank outside has no such account under that name (R03). Nothing moved. Check the name and the numbers with its holder.'
    when 'ACH_R04' then 'The account number is not valid (R04). Nothing moved. Check it with its holder.'
    when 'ACH_R08' then 'The holder of the account outside stopped this payment at their bank (R08). Nothing moved.'
    when 'ACH_R10' then 'The holder of the account outside did not authorize this payment (R10). Nothing moved.'
    when 'ACH_R16' then 'The account outside is frozen (R16). Nothing moved.'
    when 'ACH_R29' then 'The company that holds the account outside did not authorize this payment (R29). Nothing moved.'
    when 'ACH_DUPLICATE' then 'The bank refuses a second payment of the same amount to the same payee within 24 hours. Nothing moved. Request it again after that time, or with another amount.'
    when 'ACH_REJECTED' then 'The payment was rejected at the bank. Nothing moved.'
    when 'ACH_CANCELED' then 'The payment was canceled at the bank. Nothing moved.'
    when 'ACH_BLOCKED' then 'The bank blocked the payment. Nothing moved. Ask the bank why.'
    when 'ACH_NOT_ACCEPTED' then 'The bank does not accept the details of this payment. Nothing moved.'
    when 'ACH_NOT_ALLOWED' then 'The bank did not allow this payment at that time, for example because its account there had too little money. Nothing moved.'
    when 'ACH_NOT_REGISTERED' then 'The bank does not know the account outside. Nothing moved. Add it as a payee, or register it, and request it again.'
    when 'ACH_ACCOUNT_TAKEN' then 'The bank account of this installation belongs to another organization. Nothing moved.'
    when 'ACH_CANNOT_PULL' then 'This bank cannot draw money from outside accounts. Nothing moved.'
    when 'ACH_SENT_BACK' then 'The bank sent the payment back without a reason. Nothing moved.'
    else 'The bank refused or returned the transfer (' || p_error_code || '). Nothing moved.'
  end
$$;
