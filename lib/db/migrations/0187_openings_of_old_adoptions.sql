-- Accounts that were adopted before 0181. Where no line from before the adoption was read, the statement begins with one
-- line for what the account held, as it does for accounts that are adopted now.
-- while serving: at most a row for each account of the operator's, which the previous version writes only at an adoption
update adopted_bank_accounts a
   set opening_in_cents = (i.notice ->> 'amountInCents')::bigint, opened_at = i.occurred_at
  from bank_inbox i
 where a.opening_in_cents is null and a.deposits_after is not null
   and i.organization_id = a.organization_id and i.notice_reference = a.bank_account || ':opening'
   and not exists (
     select from bank_lines l where l.organization_id = a.organization_id and l.booked_at <= a.deposits_after);

-- Where they were read, each is a difference, and so is the opening deposit. Together they add up to nothing, so they end
-- together; if they do not, because a member has resolved some, all are left to members.
with old as (
  select d.organization_id, d.id, d.bank_in_cents - d.books_in_cents as cents
    from adopted_bank_accounts a
    join bank_differences d on d.organization_id = a.organization_id and d.state <> 'RESOLVED'
    left join bank_lines l on l.organization_id = d.organization_id and l.line_reference = d.line_reference
   where a.opening_in_cents is null and a.deposits_after is not null
     and ((d.kind = 'MISSING_HERE' and l.booked_at <= a.deposits_after)
       or (d.kind = 'MISSING_AT_BANK' and d.entry_id in (
         select e.id from bank_notices n
           join entries e on e.organization_id = n.organization_id and e.transfer_id = n.transfer_id and e.kind = 'TRANSFER'
          where n.organization_id = a.organization_id and n.reference = a.bank_account || ':opening')))),
whole as (select organization_id from old group by organization_id having sum(cents) = 0),
ended as (
  update bank_differences d set state = 'RESOLVED', resolution = 'CANCELED_OUT', resolved_at = now()
    from old join whole using (organization_id)
   where d.organization_id = old.organization_id and d.id = old.id
  returning d.organization_id, d.id)
insert into bank_difference_events (organization_id, id, difference_id, kind, at, note)
select organization_id, uuidv7(), id, 'CANCELED_OUT', now(), 'From before the account was adopted; part of the opening deposit'
  from ended;
