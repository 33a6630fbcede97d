import type { Pool } from "pg";
import { bankingDateOf } from "@/lib/contract/banking-days";
import { statementDates } from "@/lib/ports/aggregator/sandbox/balance-of";
import { addDays, newYorkTime } from "@/lib/ports/aggregator/sandbox/calendar";
import { owedAfter } from "@/lib/ports/aggregator/sandbox/compute-schedule";
import { institutionOf, type SandboxAccount, templateOf } from "@/lib/ports/aggregator/sandbox/institutions";
import { type ItemKey, readSchedule } from "@/lib/ports/aggregator/sandbox/read-item";
import { drawnNumbers, postedNet } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

const HISTORY_DAYS = 365;
const NUMBERS_TRIED = 50;

export interface OpenedAccount {
  accountId: string;
  template: string;
  /** Drawn if absent. */
  numberLast4?: string;
  servedSince?: Date;
  /** Its balance at `connectedAt`; of a card, the last statement's. If absent, drawn or set by the terms. */
  endsAtInCents?: number;
}

/**
 * Registers a customer with these accounts and a year of history at an institution. Rows are written one after the
 * other: after a crash, accounts without an item remain, which nothing reaches. Repeating it for the same item adds
 * nothing.
 */
export async function openItem(
  pool: Pool,
  key: ItemKey,
  input: { institutionId: string; connectedAt: Date; accounts: readonly OpenedAccount[] },
): Promise<void> {
  const { rowCount } = await pool.query(
    `insert into sandbox_institution_items (organization_id, item_id, institution_id, connected_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [key.organizationId, key.itemId, input.institutionId, input.connectedAt],
  );
  if (rowCount === 0) return;
  const historyFrom = addDays(bankingDateOf(input.connectedAt), -HISTORY_DAYS);
  const drafts = input.accounts.map((account) => draft(account, historyFrom, input.connectedAt));
  // The other side of bank orders is found by the account's digits, so those come first.
  for (const account of drafts) {
    const wanted = input.accounts.find(({ accountId }) => accountId === account.accountId)?.numberLast4;
    const siblings = drafts.map(({ numberLast4 }) => numberLast4);
    account.numberLast4 = wanted ?? (await freeNumber(pool, key, account.accountId, siblings));
  }
  const schedule = await readSchedule(pool, key, drafts, input.connectedAt);
  for (const account of drafts) {
    const own = schedule.filter(({ accountId }) => accountId === account.accountId);
    const opened = input.accounts.find(({ accountId }) => accountId === account.accountId);
    const opening = openingBalance(account, opened, own, input.connectedAt);
    await insertAccount(pool, key, { ...account, openingBalanceInCents: opening });
  }
}

function draft(
  { accountId, template: name, servedSince }: OpenedAccount,
  historyFrom: string,
  connectedAt: Date,
): SandboxAccount {
  const template = templateOf(name);
  const institution = institutionOf(template.institutionId);
  return {
    accountId,
    template,
    numberLast4: "",
    routingNumberLast4: institution?.routingNumberLast4 ?? null,
    openingBalanceInCents: 0,
    historyFrom,
    servedSince: servedSince ?? null,
    connectedAt,
    renamesPosted: institution?.renamesPosted ?? false,
  };
}

/** The opening balance that leads to the required final one. */
function openingBalance(
  { template, accountId }: SandboxAccount,
  opened: OpenedAccount | undefined,
  own: Parameters<typeof postedNet>[0],
  connectedAt: Date,
): number {
  if (template.loan) return owedAfter(template.loan, template.loan.paymentsBefore);
  if (template.card) {
    if (opened?.endsAtInCents === undefined) return 0;
    const { closed } = statementDates(template.card, connectedAt);
    return opened.endsAtInCents + postedNet(own, newYorkTime(closed, 0));
  }
  const [least, most] = template.holdsInCents;
  const endsAt = opened?.endsAtInCents ?? drawnNumbers(`${accountId}|holds`)(least, most);
  return endsAt - postedNet(own, connectedAt);
}

/**
 * Digits that no other account of the organization has: a bank order names an account by them.
 * @param siblings digits of accounts that are not stored yet
 */
async function freeNumber(
  pool: Pool,
  { organizationId }: ItemKey,
  accountId: string,
  siblings: readonly string[],
): Promise<string> {
  const draw = drawnNumbers(`${accountId}|number`);
  const candidates = Array.from({ length: NUMBERS_TRIED }, () => String(draw(1_000, 9_999)));
  const { rows } = await pool.query<{ candidate: string }>(
    `select candidate from unnest($2::text[]) with ordinality as tried (candidate, place)
      where not exists (select from sandbox_institution_accounts a
                         where a.organization_id = $1 and a.number_last4 = tried.candidate)
        and candidate <> all ($3::text[])
      order by place limit 1`,
    [organizationId, candidates, siblings],
  );
  const free = rows[0]?.candidate;
  if (!free) throw new Error("The sandbox has no account numbers left for this organization");
  return free;
}

async function insertAccount(pool: Pool, key: ItemKey, account: SandboxAccount): Promise<void> {
  await pool.query(
    `insert into sandbox_institution_accounts (organization_id, item_id, account_id, template, number_last4,
        routing_number_last4, opening_balance_in_cents, history_from, served_since)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.organizationId,
      key.itemId,
      account.accountId,
      account.template.template,
      account.numberLast4,
      account.routingNumberLast4,
      account.openingBalanceInCents,
      account.historyFrom,
      account.servedSince,
    ],
  );
}
