-- Cards and their money: authorizations that hold, settlements, refunds and payouts that are booked.
--
-- Locks go on in the order of 0004: api key, membership, proposal, transfer, then card, card authorization, ledgers in
-- id order. Whatever concerns a card locks its row first: a freeze and a purchase, and two purchases that want the last
-- of the month's limit, meet there.

alter table cards
  add column issued_by         uuid references users (id),
  add column status_changed_by uuid references users (id),
  add column status_changed_at timestamptz;

-- What a merchant asked the card network for, and what became of it.
create table card_authorizations (
  organization_id   uuid not null,
  id                uuid not null,
  card_id           uuid not null,
  account_id        uuid not null,
  amount_in_cents   bigint not null check (amount_in_cents between 1 and 9007199254740991),
  merchant          text not null check (length(merchant) <= 200),
  category          text check (category in ('HOUSING_AND_UTILITIES', 'FOOD_AND_DRINK', 'TRANSPORTATION', 'SHOPPING',
    'HEALTH_AND_PERSONAL_CARE', 'ENTERTAINMENT_AND_TRAVEL', 'DEBT_AND_FEES', 'OTHER')),
  status            text not null check (status in ('AUTHORIZED', 'SETTLED', 'RELEASED', 'DECLINED')),
  -- Kept where the network settles what was declined.
  decline_reason    text check (decline_reason in ('CARD_CLOSED', 'CARD_FROZEN', 'ACCOUNT_CLOSED', 'MONTHLY_LIMIT',
    'INSUFFICIENT_FUNDS', 'BELOW_FLOOR')),
  -- Still kept back on the pod's ledger.
  hold_in_cents     bigint not null default 0 check (hold_in_cents between 0 and amount_in_cents),
  settled_in_cents  bigint not null default 0 check (settled_in_cents >= 0),
  -- The calendar month of the organization whose limit it counts against, as its first day.
  month             date not null,
  network_reference text not null check (length(network_reference) between 1 and 200),
  authorized_at     timestamptz not null,
  expires_at        timestamptz,
  ended_at          timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, card_id) references cards (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  check (hold_in_cents = 0 or status = 'AUTHORIZED'),
  check (status <> 'DECLINED' or decline_reason is not null),
  check ((status = 'AUTHORIZED') = (ended_at is null)),
  check (status <> 'AUTHORIZED' or expires_at is not null)
) with (fillfactor = 80);
create unique index card_authorizations_by_reference on card_authorizations (organization_id, network_reference);
create index card_authorizations_by_card on card_authorizations (organization_id, card_id, authorized_at desc, id desc);
create index card_authorizations_open on card_authorizations (organization_id, account_id) where status = 'AUTHORIZED';
create index card_authorizations_to_expire on card_authorizations (expires_at) where status = 'AUTHORIZED';

-- What a card has spent in a calendar month: settled purchases and open holds. Changed under the lock of the card's row.
create table card_months (
  organization_id uuid not null,
  card_id         uuid not null,
  month           date not null,
  spent_in_cents  bigint not null check (spent_in_cents >= 0),
  primary key (organization_id, card_id, month),
  foreign key (organization_id, card_id) references cards (organization_id, id)
) with (fillfactor = 80);

alter table card_transactions
  add column authorization_id uuid,
  add foreign key (organization_id, authorization_id) references card_authorizations (organization_id, id),
  add check (authorization_id is null or subtype = 'PURCHASE');

-- Lists are newest first by `created_at` and may be bounded by it: both come from the index alone, so that the rows
-- before a deep page are never read.
drop index card_transactions_by_account, card_transactions_by_card;
create index card_transactions_by_date on card_transactions (organization_id, created_at desc, id desc);
create index card_transactions_by_account on card_transactions (organization_id, account_id, created_at desc, id desc);
create index card_transactions_by_card on card_transactions (organization_id, card_id, created_at desc, id desc)
  include (account_id);

-- An entry has exactly one cause: a transfer or a card transaction.
alter table entries
  alter column transfer_id drop not null,
  add column card_transaction_id uuid,
  add foreign key (organization_id, card_transaction_id) references card_transactions (organization_id, id),
  drop constraint entries_kind_check,
  add constraint entries_kind_check check (kind in ('TRANSFER', 'RETURN', 'CARD')),
  add constraint one_cause check (num_nonnulls(transfer_id, card_transaction_id) = 1),
  add constraint card_entries_are_of_cards check ((kind = 'CARD') = (card_transaction_id is not null));
-- Partial: the entries of transfers, by far the most, do not pay for it.
create unique index card_transaction_booked_once on entries (organization_id, card_transaction_id)
  where card_transaction_id is not null;

-- Both ledgers in id order before the entry's foreign keys are checked. 0002 locked them after: by then two bookings of
-- one ledger each held the keys' share lock on it, and each waited for the other to let go.
create function lock_entry_ledgers() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from ledgers
    where organization_id = new.organization_id and id in (new.debit_ledger_id, new.credit_ledger_id)
    order by id for update;
  return new;
end $$;
create trigger entries_lock_ledgers before insert on entries for each row execute function lock_entry_ledgers();

-- Supersedes the function of 0002: what a card network settles is as real as a bank's return, so it too may push a
-- managed ledger below zero, and the shortfall says how far. The hold that the entry uses up is no loss.
create or replace function apply_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ledgers set
      debits_in_cents = debits_in_cents + new.amount_in_cents,
      held_in_cents = held_in_cents - new.releases_hold_in_cents,
      return_shortfall_in_cents = case
        when new.kind in ('RETURN', 'CARD') and kind = 'MANAGED' then greatest(
          return_shortfall_in_cents,
          new.amount_in_cents - new.releases_hold_in_cents - (credits_in_cents - debits_in_cents - held_in_cents))
        else return_shortfall_in_cents end
    where organization_id = new.organization_id and id = new.debit_ledger_id;

  update ledgers set
      credits_in_cents = credits_in_cents + new.amount_in_cents,
      -- Money that comes in first fills what a return or a card left open.
      return_shortfall_in_cents = greatest(0, least(
        return_shortfall_in_cents,
        -(credits_in_cents + new.amount_in_cents - debits_in_cents - held_in_cents)))
    where organization_id = new.organization_id and id = new.credit_ledger_id;
  return null;
end $$;

create function lock_card(p_organization_id uuid, p_id uuid) returns cards
language sql security definer set search_path = public, pg_temp as $$
  select * from cards where organization_id = p_organization_id and id = p_id for no key update
$$;

-- The calendar month of the organization at this instant, as its first day.
create function calendar_month(p_organization_id uuid, p_at timestamptz) returns date
language sql stable security definer set search_path = public, pg_temp as $$
  select date_trunc('month', p_at at time zone time_zone)::date from organizations where id = p_organization_id
$$;

-- Counts what a card spends, or (below zero) spends no longer. Its card is locked.
create function count_card_spending(p_organization_id uuid, p_card_id uuid, p_month date, p_amount_in_cents bigint)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update card_months set spent_in_cents = spent_in_cents + p_amount_in_cents
    where organization_id = p_organization_id and card_id = p_card_id and month = p_month;
  if not found then insert into card_months values (p_organization_id, p_card_id, p_month, p_amount_in_cents); end if;
end $$;

-- A new card of a pod. Answers null, or why there is none. A repetition with the same id does nothing.
create function issue_card(p_organization_id uuid, p_id uuid, p_card_type text, p_name text, p_number_last4 text,
  p_account_id uuid, p_holder_id uuid, p_monthly_limit_in_cents bigint, p_issued_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_holder_id is not null then
    perform 1 from memberships where organization_id = p_organization_id and user_id = p_holder_id for key share;
    if not found then return 'HOLDER_UNKNOWN'; end if;
  end if;
  -- Conflicts with closing the pod, which would otherwise not see the card. One that has a card is not closed, so that
  -- whoever holds the lock of an open card knows its pod to be open.
  perform 1 from accounts where organization_id = p_organization_id and id = p_account_id and type = 'POD'
    and deleted_at is null for share;
  if not found then return 'NO_OPEN_POD'; end if;
  insert into cards (organization_id, id, card_type, name, number_last4, account_id, holder_id, monthly_limit_in_cents,
      status, created_at, updated_at, issued_by)
    values (p_organization_id, p_id, p_card_type, p_name, p_number_last4, p_account_id, p_holder_id,
      p_monthly_limit_in_cents, 'ACTIVE', p_now, p_now, p_issued_by)
    on conflict (organization_id, id) do nothing;
  return null;
end $$;

-- Freezes, thaws or closes; who may is decided by the caller. A closed card stays closed. Answers the card's status
-- after it, or null where there is no such card. Once it has committed, no later purchase sees the status of before.
create function set_card_status(p_organization_id uuid, p_id uuid, p_status text, p_changed_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
begin
  v_card := lock_card(p_organization_id, p_id);
  if v_card.id is null or v_card.status in (p_status, 'CLOSED') then return v_card.status; end if;
  update cards set status = p_status, status_changed_by = p_changed_by, status_changed_at = p_now, updated_at = p_now
    where organization_id = p_organization_id and id = p_id;
  return p_status;
end $$;

-- The network asks whether a purchase may be made. Approved, its amount is held on the pod and counted in the month.
-- A repetition under one reference gets the first answer; with other money in it, it is declined and written nowhere.
create function authorize_card_purchase(p_organization_id uuid, p_id uuid, p_card_id uuid, p_network_reference text,
  p_amount_in_cents bigint, p_merchant text, p_category text, p_expires_at timestamptz, p_now timestamptz)
returns table (is_approved boolean, reason text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
  v_known card_authorizations;
  v_month date := calendar_month(p_organization_id, p_now);
  v_spent bigint;
  v_reason text;
begin
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then return query select false, 'CARD_UNKNOWN'; return; end if;

  select * into v_known from card_authorizations
    where organization_id = p_organization_id and network_reference = p_network_reference;
  if found then
    return query select r is null, r from (select case
      when v_known.card_id <> p_card_id or v_known.amount_in_cents <> p_amount_in_cents then 'REFERENCE_REUSED'
      when v_known.status = 'RELEASED' then 'RELEASED'
      else v_known.decline_reason end) as answer(r);
    return;
  end if;

  select coalesce(sum(m.spent_in_cents), 0)::bigint into v_spent from card_months m
    where m.organization_id = p_organization_id and m.card_id = p_card_id and m.month = v_month;
  v_reason := case
    when v_card.status = 'CLOSED' then 'CARD_CLOSED'
    when v_card.status = 'FROZEN' then 'CARD_FROZEN'
    when v_spent + p_amount_in_cents > v_card.monthly_limit_in_cents then 'MONTHLY_LIMIT' end;
  if v_reason is null then
    v_reason := reserve(p_organization_id, v_card.account_id, p_amount_in_cents, true);
  end if;

  insert into card_authorizations (organization_id, id, card_id, account_id, amount_in_cents, merchant, category,
      status, decline_reason, hold_in_cents, month, network_reference, authorized_at, expires_at, ended_at)
    values (p_organization_id, p_id, p_card_id, v_card.account_id, p_amount_in_cents, p_merchant, p_category,
      case when v_reason is null then 'AUTHORIZED' else 'DECLINED' end, v_reason,
      case when v_reason is null then p_amount_in_cents else 0 end, v_month, p_network_reference, p_now, p_expires_at,
      case when v_reason is not null then p_now end);
  if v_reason is null then
    perform count_card_spending(p_organization_id, p_card_id, v_month, p_amount_in_cents);
  end if;
  return query select v_reason is null, v_reason;
end $$;

-- Gives back what an authorization still holds, and ends it: settled if anything of it was. Its card is locked.
create function end_card_authorization(a card_authorizations, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if a.hold_in_cents > 0 then
    update ledgers set held_in_cents = held_in_cents - a.hold_in_cents,
        -- What was promised and is no longer fills what a return or a card left open.
        return_shortfall_in_cents = greatest(0, least(
          return_shortfall_in_cents, -(credits_in_cents - debits_in_cents - held_in_cents + a.hold_in_cents)))
      where organization_id = a.organization_id and id = a.account_id;
    perform count_card_spending(a.organization_id, a.card_id, a.month, -a.hold_in_cents);
  end if;
  update card_authorizations set hold_in_cents = 0, ended_at = p_now,
      status = case when settled_in_cents > 0 then 'SETTLED' else 'RELEASED' end
    where organization_id = a.organization_id and id = a.id;
end $$;

-- The network takes an authorization back, or its time is over. One that is unknown is written down as released, so
-- that its question, should it still arrive, holds nothing. Answers whether an open one was ended.
create function release_card_authorization(p_organization_id uuid, p_id uuid, p_card_id uuid, p_network_reference text,
  p_amount_in_cents bigint, p_merchant text, p_category text, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
  v_known card_authorizations;
begin
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  select * into v_known from card_authorizations
    where organization_id = p_organization_id and network_reference = p_network_reference for update;
  if not found then
    insert into card_authorizations (organization_id, id, card_id, account_id, amount_in_cents, merchant, category,
        status, month, network_reference, authorized_at, ended_at)
      values (p_organization_id, p_id, p_card_id, v_card.account_id, p_amount_in_cents, p_merchant, p_category,
        'RELEASED', calendar_month(p_organization_id, p_now), p_network_reference, p_now, p_now);
    return false;
  end if;
  -- Of another card, it is not the authorization that is meant; that one ends by itself.
  if v_known.card_id <> p_card_id or v_known.status <> 'AUTHORIZED' then return false; end if;
  perform end_card_authorization(v_known, p_now);
  return true;
end $$;

-- Whether this was recorded before, by the network's reference. Its card is locked.
create function is_card_transaction_known(t card_transactions) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_known card_transactions;
begin
  select * into v_known from card_transactions
    where organization_id = t.organization_id and network_reference = t.network_reference;
  if not found then return false; end if;
  -- Taking it for the same would lose money that is real.
  if (v_known.card_id, v_known.subtype, v_known.amount_in_cents) <> (t.card_id, t.subtype, t.amount_in_cents) then
    raise exception 'card transaction % was recorded before with other details', t.network_reference;
  end if;
  return true;
end $$;

-- Records a card transaction and its entry: a purchase leaves the pod for the clearing ledger, all else comes back.
create function book_card_transaction(t card_transactions, p_entry_id uuid, p_releases_hold_in_cents bigint)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_clearing uuid;
begin
  select clearing_ledger_id into strict v_clearing from organizations where id = t.organization_id;
  insert into card_transactions (organization_id, id, card_id, account_id, subtype, amount_in_cents, description,
      category, network_reference, created_at, completed_at, authorization_id)
    values (t.organization_id, t.id, t.card_id, t.account_id, t.subtype, t.amount_in_cents, t.description, t.category,
      t.network_reference, t.created_at, t.completed_at, t.authorization_id);
  insert into entries (organization_id, id, card_transaction_id, kind, debit_ledger_id, credit_ledger_id,
      amount_in_cents, releases_hold_in_cents, booked_at)
    values (t.organization_id, p_entry_id, t.id, 'CARD',
      case when t.subtype = 'PURCHASE' then t.account_id else v_clearing end,
      case when t.subtype = 'PURCHASE' then v_clearing else t.account_id end,
      t.amount_in_cents, p_releases_hold_in_cents, t.created_at);
end $$;

-- What the network settles is booked, whatever was authorized and whatever the pod has: the money is gone. It uses up
-- the authorization's hold, and beyond that what is available. p_is_final: nothing more follows, the rest of the hold
-- is given back. Answers whether it was new.
create function settle_card_authorization(p_organization_id uuid, p_transaction_id uuid, p_entry_id uuid,
  p_card_id uuid, p_authorization_reference text, p_network_reference text, p_amount_in_cents bigint,
  p_description text, p_category text, p_is_final boolean, p_settled_at timestamptz, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
  v_authorization card_authorizations;
  v_transaction card_transactions;
  v_used bigint;
begin
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  -- Field by field, so that a column that is added to the table changes nothing here.
  v_transaction.organization_id := p_organization_id;
  v_transaction.id := p_transaction_id;
  v_transaction.card_id := p_card_id;
  v_transaction.account_id := v_card.account_id;
  v_transaction.subtype := 'PURCHASE';
  v_transaction.amount_in_cents := p_amount_in_cents;
  v_transaction.description := p_description;
  v_transaction.category := p_category;
  v_transaction.network_reference := p_network_reference;
  v_transaction.created_at := p_now;
  v_transaction.completed_at := p_settled_at;
  if is_card_transaction_known(v_transaction) then return false; end if;

  -- An authorization of another card stays as it is: its hold is not this card's to use.
  select * into v_authorization from card_authorizations
    where organization_id = p_organization_id and network_reference = p_authorization_reference
      and card_id = p_card_id for update;
  -- One that we were never asked about is written down, so that its question, should it still arrive, holds nothing.
  if v_authorization.id is null and p_authorization_reference is not null then
    insert into card_authorizations (organization_id, id, card_id, account_id, amount_in_cents, merchant, category,
        status, month, network_reference, authorized_at, ended_at)
      values (p_organization_id, p_transaction_id, p_card_id, v_card.account_id, p_amount_in_cents, p_description,
        p_category, 'SETTLED', calendar_month(p_organization_id, p_settled_at), p_authorization_reference,
        p_settled_at, p_now)
      on conflict (organization_id, network_reference) do nothing
      returning * into v_authorization;
  end if;
  v_used := least(coalesce(v_authorization.hold_in_cents, 0), p_amount_in_cents);
  v_transaction.authorization_id := v_authorization.id;
  perform book_card_transaction(v_transaction, p_entry_id, v_used);
  perform count_card_spending(p_organization_id, p_card_id,
    coalesce(v_authorization.month, calendar_month(p_organization_id, p_settled_at)), p_amount_in_cents - v_used);

  if v_authorization.id is null then return true; end if;
  update card_authorizations set hold_in_cents = hold_in_cents - v_used,
      settled_in_cents = settled_in_cents + p_amount_in_cents,
      -- Also what was declined or released: it settled all the same.
      status = case when status = 'AUTHORIZED' then status else 'SETTLED' end
    where organization_id = p_organization_id and id = v_authorization.id
    returning * into v_authorization;
  if p_is_final and v_authorization.status = 'AUTHORIZED' then
    perform end_card_authorization(v_authorization, p_now);
  end if;
  return true;
end $$;

-- Money that a card brings in: a merchant's refund, or a payout that is pushed to the card. Booked whatever the card's
-- state. It gives no room in the month's limit. Answers whether it was new.
create function record_card_credit(p_organization_id uuid, p_transaction_id uuid, p_entry_id uuid, p_card_id uuid,
  p_subtype text, p_network_reference text, p_amount_in_cents bigint, p_description text, p_category text,
  p_settled_at timestamptz, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
  v_transaction card_transactions;
begin
  if p_subtype not in ('REFUND', 'PAYOUT') then raise exception 'no credit: %', p_subtype; end if;
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  v_transaction.organization_id := p_organization_id;
  v_transaction.id := p_transaction_id;
  v_transaction.card_id := p_card_id;
  v_transaction.account_id := v_card.account_id;
  v_transaction.subtype := p_subtype;
  v_transaction.amount_in_cents := p_amount_in_cents;
  v_transaction.description := p_description;
  v_transaction.category := p_category;
  v_transaction.network_reference := p_network_reference;
  v_transaction.created_at := p_now;
  v_transaction.completed_at := p_settled_at;
  if is_card_transaction_known(v_transaction) then return false; end if;
  perform book_card_transaction(v_transaction, p_entry_id, 0);
  return true;
end $$;

grant select on card_authorizations, card_months to :"app_role";
grant execute on function issue_card, set_card_status, authorize_card_purchase, release_card_authorization,
  settle_card_authorization, record_card_credit to :"app_role";
