import type { Pool } from "pg";
import { AggregatorUnavailable, SignInNeeded } from "@/lib/ports/aggregator/aggregator-port";
import { readBankMovements } from "@/lib/ports/aggregator/sandbox/read-bank-movements";
import { readMemberTransactions } from "@/lib/ports/aggregator/sandbox/read-member-transactions";
import { reckonObligations } from "@/lib/ports/aggregator/sandbox/reckon-obligations";
import { reckonStreams } from "@/lib/ports/aggregator/sandbox/reckon-streams";
import {
  type AccountRow,
  type SandboxAccount,
  toSandboxAccount,
} from "@/lib/ports/aggregator/sandbox/sandbox-account";
import type { ScheduledTransaction } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

/** A customer's accounts at one institution, as the sandbox tells of them. */
export interface SandboxItem {
  institutionId: string;
  accounts: SandboxAccount[];
  /** The latest change by a member that this reading has seen. */
  lastChange: number;
  /** What is told is as of this moment: now, or when the institution stopped telling anything new. */
  toldUntil: Date;
}

interface ItemRow {
  institution_id: string;
  fault_kind: "UNAVAILABLE" | "SIGN_IN" | null;
  fault_code: string | null;
  stale_since: Date | null;
  last_change: number;
}

export interface ItemKey {
  organizationId: string;
  itemId: string;
}

/** @throws AggregatorUnavailable, SignInNeeded as a member has set it, or when the customer's consent was removed. */
export async function readItem(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
  now: Date,
): Promise<SandboxItem> {
  const { rows } = await pool.query<ItemRow>({
    name: "sandbox_institutions_read_item",
    text: `select institution_id, fault_kind, fault_code, stale_since, last_change
             from sandbox_institution_items
            where organization_id = $1 and item_id = $2 and removed_at is null`,
    values: [organizationId, itemId],
  });
  const item = rows[0];
  if (!item) throw new SignInNeeded("ITEM_NOT_FOUND", "The sandbox institution knows no such connection");
  const code = item.fault_code ?? "";
  if (item.fault_kind === "SIGN_IN") throw new SignInNeeded(code, "The sandbox institution asks to sign in");
  if (item.fault_kind) throw new AggregatorUnavailable(code, "The sandbox institution does not answer");
  return {
    institutionId: item.institution_id,
    accounts: await readAccounts(pool, { organizationId, itemId }),
    lastChange: item.last_change,
    toldUntil: item.stale_since && item.stale_since < now ? item.stale_since : now,
  };
}

export async function readAccounts(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
): Promise<SandboxAccount[]> {
  const { rows } = await pool.query<AccountRow>({
    name: "sandbox_institutions_read_accounts",
    text: `select a.account_id, a.template, a.number_last4, a.routing_number_last4, a.opening_balance_in_cents,
                  a.history_from::text as history_from, a.served_since, i.connected_at
             from sandbox_institution_accounts a
             join sandbox_institution_items i on i.organization_id = a.organization_id and i.item_id = a.item_id
            where a.organization_id = $1 and a.item_id = $2
            order by a.account_id`,
    values: [organizationId, itemId],
  });
  return rows.map(toSandboxAccount);
}

/** Everything that has happened on these accounts up to a moment, each transaction with its whole life. */
export async function readSchedule(
  pool: Pool,
  key: ItemKey,
  accounts: readonly SandboxAccount[],
  until: Date,
): Promise<ScheduledTransaction[]> {
  const byMembers = await readMemberTransactions(pool, key);
  const byBank = await readBankMovements(pool, key.organizationId, accounts, until);
  const reckoned = accounts.flatMap((account) => {
    const siblings = accounts.filter((other) => other !== account);
    return [...reckonStreams(account, until), ...reckonObligations(account, siblings, until)];
  });
  // What a member decided stands in place of what would have happened.
  const decided = new Set(byMembers.map(({ id }) => id));
  return [...reckoned, ...byBank].filter(({ id }) => !decided.has(id)).concat(byMembers);
}
