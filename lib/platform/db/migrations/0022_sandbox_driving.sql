-- The sandbox bank, driven by a member: money that arrives, orders and deposits that come back, and silence.

create table sandbox_bank_deposits (
  organization_id uuid        not null,
  reference       text        not null,
  account_id      uuid        not null,
  origin          text        not null check (origin in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT')),
  amount_in_cents bigint      not null check (amount_in_cents > 0),
  payer_name      text        not null check (length(payer_name) between 1 and 200),
  made_at         timestamptz not null,
  primary key (organization_id, reference)
);

-- A notice is now of an order or of a deposit; a deposit that comes back may be one that this sandbox did not make.
alter table sandbox_bank_notices
  alter column transfer_id drop not null,
  add column deposit_reference text,
  drop constraint sandbox_bank_notices_kind_check,
  add constraint sandbox_bank_notices_kind_check
    check (kind in ('SETTLED', 'RETURNED', 'DEPOSITED', 'DEPOSIT_RETURNED')),
  add constraint of_an_order_or_of_a_deposit
    check ((transfer_id is not null) = (kind in ('SETTLED', 'RETURNED'))
      and (deposit_reference is not null) = (kind in ('DEPOSITED', 'DEPOSIT_RETURNED')));
create unique index sandbox_bank_notices_of_deposit on sandbox_bank_notices (organization_id, deposit_reference, kind);

-- Until when (business time) the bank does not answer this organization.
create table sandbox_bank_silences (
  organization_id uuid        primary key,
  silent_until    timestamptz not null
);

-- What members did to the sandbox, for the page that tells them what each did.
create table sandbox_actions (
  organization_id uuid        not null references organizations (id),
  id              uuid        not null,
  -- sandboxActionSchema (contract/views/sandbox-view.ts).
  action          jsonb       not null,
  member_id       uuid        not null references users (id),
  member_name     text        not null,
  -- Business time after the action.
  created_at      timestamptz not null,
  primary key (organization_id, id)
);

-- Makes an order come back now: the settlement that was planned for it goes, a return that was planned for later comes
-- at once, one that was told of stands. Answers whether it comes back because of this call. A function, so that the
-- application can erase no notice of its own accord.
create function sandbox_bank_return_order(p_organization_id uuid, p_transfer_id uuid, p_notice_reference uuid,
  p_code text, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- One that the bank refused never was under way. Locked, so that a second return waits for the first.
  perform 1 from sandbox_bank_orders
    where organization_id = p_organization_id and transfer_id = p_transfer_id and refusal_code is null for update;
  if not found then return false; end if;
  delete from sandbox_bank_notices
    where organization_id = p_organization_id and transfer_id = p_transfer_id and acknowledged_at is null
      and (due_at > p_now or kind = 'SETTLED');
  insert into sandbox_bank_notices (organization_id, notice_reference, transfer_id, kind, code, due_at)
    values (p_organization_id, p_notice_reference, p_transfer_id, 'RETURNED', p_code, p_now)
    on conflict (organization_id, transfer_id, kind) do nothing;
  return found;
end $$;

grant select, insert on sandbox_bank_deposits, sandbox_actions to :"app_role";
grant select, insert, update on sandbox_bank_silences to :"app_role";
grant execute on function sandbox_bank_return_order to :"app_role";
