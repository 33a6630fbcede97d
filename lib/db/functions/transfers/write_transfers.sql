-- create_transfers under its former name, which processes of the previous version still call. Locks what that locks.
create or replace function write_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query select * from create_transfers(p_items);
end $$;

grant execute on function write_transfers to :"app_role";
