-- Keeps why the bank has given a new account no number yet, in words for members. A function, because the application's role
-- may not write what record_account_numbers writes.
-- Locks the account.
create or replace function record_number_problem(p_organization_id uuid, p_id uuid, p_problem text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set number_problem = left(p_problem, 400)
    where organization_id = p_organization_id and id = p_id and number_due_at is not null
$$;

grant execute on function record_number_problem to :"app_role";
