import type { AccountType, ClosingBlocker } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import { ruleHref } from "@/lib/contract/hrefs";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { SUBJECT_JOINS } from "@/lib/core/shared/subject-columns";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

type CloseAccountResult = { kind: "CLOSED" } | { kind: "IN_THE_WAY"; blockers: ClosingBlocker[] };

/**
 * Closes a pod or income source with a zero balance and nothing pending. It stays readable.
 *
 * Nothing can land in between. Everything that moves money into or out of the account writes a transfer (or a card
 * transaction), whose foreign key locks the account's row; `for update` conflicts with that lock. So a concurrent one
 * either committed before and is seen below, or is written after the closing and fails without an open account
 * (`reserve`, `book_due_transfers`, `lease_bank_orders`). Only what a bank reports as arrived is still booked. The
 * ledger is not locked: a transfer locks ledger, then account, so both would deadlock.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` for an
 * external account.
 */
export async function closeAccount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  accountId: string,
): Promise<CloseAccountResult> {
  return inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "close an account");
    const account = await lockAccount(client, context, accountId);
    if (!account.isOpen) return { kind: "CLOSED" };
    const blockers = await readClosingBlockers(client, context.organizationId, accountId);
    if (blockers.length > 0) return { kind: "IN_THE_WAY", blockers };
    await client.query(
      "update accounts set deleted_at = $3, updated_at = $3 where organization_id = $1 and id = $2",
      [context.organizationId, accountId, context.now],
    );
    const change = { subject: account.name, before: null, after: null };
    await recordChange(client, context, { kind: "ACCOUNT_CLOSED", ...change });
    return { kind: "CLOSED" };
  });
}

async function lockAccount(
  client: Queryable,
  context: Context,
  accountId: string,
): Promise<{ name: string; isOpen: boolean }> {
  const { rows } = await client.query<{ name: string; type: AccountType; deletedAt: Date | null }>(
    `select name, type, deleted_at as "deletedAt" from accounts where organization_id = $1 and id = $2 for update`,
    [context.organizationId, accountId],
  );
  const account = rows[0];
  if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  if (account.type === "EXTERNAL_ACCOUNT") {
    throw new AppError("INVALID_PARAMETERS", "An account outside Sluice is closed at its own bank.");
  }
  return { name: account.name, isOpen: account.deletedAt === null };
}

/**
 * Reopens a closed pod or income source, to reach money that a bank booked into it after it was closed.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` where its
 * beneficiary has been removed.
 */
export async function reopenAccount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  accountId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "reopen an account");
    // As it was before: a second press reopens nothing.
    const { rows } = await client.query<{ name: string; wasClosed: boolean }>(
      `update accounts a set deleted_at = null, updated_at = $3
         from (select id, deleted_at is not null as was_closed from accounts
                where organization_id = $1 and id = $2 for update) before
        where a.organization_id = $1 and a.id = before.id and a.type <> 'EXTERNAL_ACCOUNT'
        returning a.name, before.was_closed as "wasClosed"`,
      [context.organizationId, accountId, context.now],
    );
    await requireBeneficiary(client, context.organizationId, accountId);
    const [account] = rows;
    if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
    if (!account.wasClosed) return;
    const change = { subject: account.name, before: null, after: null };
    await recordChange(client, context, { kind: "ACCOUNT_REOPENED", ...change });
  });
}

/** A concurrent removal holds this row until it has checked for open accounts, so one of the two is refused. */
async function requireBeneficiary(
  client: Queryable,
  organizationId: string,
  accountId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string; removedAt: Date | null }>(
    `select b.name, b.removed_at as "removedAt" from beneficiaries b
      where b.organization_id = $1
        and b.id = (select a.beneficiary_id from accounts a where a.organization_id = $1 and a.id = $2)
      for key share`,
    [organizationId, accountId],
  );
  if (!rows[0]?.removedAt) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    `Its beneficiary, ${rows[0].name}, has been removed. Nothing was changed.`,
  );
}

interface FactsRow {
  balanceInCents: number;
  onItsWay: number;
  waiting: number;
  cards: number;
  rules: number;
  namedRules: { id: string; name: string }[] | null;
}

/** Further rules are counted but not named. */
const NAMED_RULES = 10;

/**
 * What keeps a managed account open, in the order in which a person would resolve it. A single statement, so one
 * snapshot: a booking moves a transfer and its balance together, and is seen in full or not at all.
 */
export async function readClosingBlockers(
  database: Queryable,
  organizationId: string,
  accountId: string,
): Promise<ClosingBlocker[]> {
  const { rows } = await database.query<FactsRow>({
    name: "read_closing_blockers",
    text: `
      select l.credits_in_cents - l.debits_in_cents as "balanceInCents",
          (select count(*)::int from (${ON_ITS_WAY}) moving)
            + (select count(*)::int from card_authorizations h
                where h.organization_id = $1 and h.account_id = $2 and h.status = 'AUTHORIZED') as "onItsWay",
          (select count(*)::int
             from proposals p ${SUBJECT_JOINS}
             left join rule_versions v
               on v.organization_id = e.organization_id and v.rule_id = e.rule_id and v.version = e.rule_version
            where p.organization_id = $1 and p.state = 'WAITING'
              and ($2::uuid in (t.source_account_id, t.destination_account_id)
                or position($2::text in v.definition::text) > 0)) as waiting,
          (select count(*)::int from cards c
            where c.organization_id = $1 and c.account_id = $2 and c.status <> 'CLOSED') as cards,
          -- An id occurs in a definition only where the account is used.
          coalesce(naming.count, 0) as rules, naming.first as "namedRules"
        from ledgers l
        cross join lateral (
          select count(*)::int as count,
              json_agg(json_build_object('id', r.id, 'name', r.name) order by r.id) filter (where r.position <= ${NAMED_RULES})
                as first
            from (
              select r.id, r.name, row_number() over (order by r.id) as position
                from rules r
               where r.organization_id = $1 and r.deleted_at is null and r.active_version is not null
                 -- Per rule: a join would read every version ever stored.
                 and (select position($2::uuid::text in v.definition::text) > 0 from rule_versions v
                       where v.organization_id = $1 and v.rule_id = r.id and v.version = r.active_version)) r) naming
       where l.organization_id = $1 and l.id = $2`,
    values: [organizationId, accountId],
  });
  const facts = rows[0];
  if (!facts) throw new Error("A managed account has no ledger");
  const blockers: ClosingBlocker[] = [];
  if (facts.waiting > 0) blockers.push({ kind: "WAITING", count: facts.waiting });
  if (facts.onItsWay > 0) blockers.push({ kind: "ON_ITS_WAY", count: facts.onItsWay });
  if (facts.cards > 0) blockers.push({ kind: "CARDS", count: facts.cards });
  if (facts.rules > 0) {
    const rules = (facts.namedRules ?? []).map(({ id, name }) => ({ href: ruleHref(id), name }));
    blockers.push({ kind: "RULES", count: facts.rules, rules });
  }
  if (facts.balanceInCents !== 0) {
    blockers.push({ kind: "BALANCE", balanceInCents: facts.balanceInCents });
  }
  return blockers;
}

/**
 * Ids of organization $1's accepted, unfinished transfers in or out of account $2. Each step is spelled as in its partial
 * index, so finished transfers are not read.
 */
export const ON_ITS_WAY = `
  select id from transfers where next_step in ('BOOK', 'FAIL') and organization_id = $1
     and $2::uuid in (source_account_id, destination_account_id)
  union all
  select id from transfers where next_step in ('SUBMIT', 'ASK') and organization_id = $1
     and $2::uuid in (source_account_id, destination_account_id)
  union all
  select id from transfers where next_step = 'AWAIT' and organization_id = $1
     and $2::uuid in (source_account_id, destination_account_id)`;
