-- What identifies a bank account within its organization: the keyed hash of its numbers; for one whose numbers were given
-- before that was kept, its last four digits. Locks nothing.
create or replace function account_key_of(p_account_key bytea, p_routing_number_last4 text, p_account_number_last4 text)
returns bytea
language sql immutable security definer set search_path = public, pg_temp as $$
  select coalesce(p_account_key, sha256(convert_to(
    'last four|' || coalesce(p_routing_number_last4, '') || '|' || coalesce(p_account_number_last4, ''), 'UTF8')))
$$;

grant execute on function account_key_of to :"app_role";
