import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { KEEP_OWN_ACCOUNTS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { Outages } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import {
  type BankPort,
  BankUnavailable,
  type OwnAccountRequest,
  type OwnAccountsPort,
} from "@/lib/ports/bank/bank-port";

/**
 * Keeps a pod's money in an account of its own at the bank, or in the organization's again. The books do not change: the
 * worker moves the money at the bank as the pod's balance changes (`keepOwnAccounts`). Repeating it does nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` unless it is an open pod, and at a
 * bank that keeps one account. NotConfirmed without presence.
 */
export async function setOwnBankAccount(
  services: Pick<Services, "pool" | "clock" | "wake" | "bankCapabilities">,
  context: Context<MemberActor>,
  { accountId, isWanted }: { accountId: string; isWanted: boolean },
): Promise<void> {
  const { organizationId, actor, now } = context;
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "change where a pod’s money is kept");
    if (!services.bankCapabilities.ownAccounts) {
      throw refused("This bank keeps the money of all pods in one account.");
    }
    const act = `SET_OWN_BANK_ACCOUNT:${accountId}:${isWanted}` as const;
    await requirePresence(client, actor, services.clock.now(), act);
    const { rows } = await client.query<{ name: string; isPod: boolean; isOwn: boolean }>(
      `select a.name, a.type = 'POD' and a.deleted_at is null as "isPod", coalesce(o.is_wanted, false) as "isOwn"
         from accounts a
         left join own_bank_accounts o on o.organization_id = a.organization_id and o.account_id = a.id
        where a.organization_id = $1 and a.id = $2 for no key update of a`,
      [organizationId, accountId],
    );
    const [pod] = rows;
    if (!pod?.isPod) throw refused("Only an open pod can have its own account at the bank.");
    if (pod.isOwn === isWanted) return;
    await client.query(
      `insert into own_bank_accounts (organization_id, account_id, is_wanted, decided_by, decided_at, due_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, account_id) do update set is_wanted = excluded.is_wanted,
         decided_by = excluded.decided_by, decided_at = excluded.decided_at, due_at = excluded.due_at`,
      [organizationId, accountId, isWanted, actor.id, now, services.clock.now()],
    );
    await recordChange(client, context, {
      kind: "OWN_BANK_ACCOUNT",
      subject: pod.name,
      before: pod.isOwn ? "OWN" : "SHARED",
      after: isWanted ? "OWN" : "SHARED",
    });
  });
  services.wake(KEEP_OWN_ACCOUNTS);
}

const refused = (message: string) => new AppError("INVALID_PARAMETERS", `${message} Nothing was changed.`);

/** Pods that have an account of their own at the bank, also while their money goes back. */
export async function listOwnBankAccounts(database: Queryable, organizationId: string): Promise<string[]> {
  const { rows } = await database.query<{ accountId: string }>({
    name: "list_own_bank_accounts",
    text: `select account_id as "accountId" from own_bank_accounts where organization_id = $1 and is_open
      order by account_id`,
    values: [organizationId],
  });
  return rows.map((row) => row.accountId);
}

/** Longer than the bank's answers usually take. After it, another worker asks about the same move. */
const LEASE_MS = 60_000;
/** How often the bank is asked what such an account holds while the books did not change. */
const ASK_AGAIN_MS = 3_600_000;
const RETRY_MS = 30_000;
/** After a refusal: the organization's account may have too little until money on its way has arrived. */
const REFUSED_RETRY_MS = 300_000;
/** For money of another pod that is on its way back. */
const WAITING_RETRY_MS = 5_000;

/**
 * For metrics: since when the bank has not moved what it was asked to, of the pod that has waited longest.
 * @returns seconds; 0: nothing is stuck
 */
export async function readStuckSeconds({ pool, clock }: Pick<Services, "pool" | "clock">): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>({
    name: "read_stuck_pod_moves",
    text: `select coalesce(max(extract(epoch from $1 - stuck_since)), 0)::float8 as seconds
             from own_bank_accounts where stuck_since is not null`,
    values: [clock.now()],
  });
  return rows[0]?.seconds ?? 0;
}

type Noted = "NOTED" | "WAITS" | "LOST";

interface LeasedRow {
  organizationId: string;
  accountId: string;
  name: string;
  isOpen: boolean;
  moveId: string | null;
  moveInCents: number | null;
  /** Names this lease. */
  leasedUntil: Date;
}

/**
 * Opens accounts of pods at the bank and moves money until each holds what the books say, less what is promised elsewhere.
 * Each move is recorded before the bank hears of it, under the id that is its idempotency key: after a lost answer or a
 * crash the same move is asked about, and no other one begins.
 * @returns how many were leased
 */
export async function keepOwnAccounts(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  limit: number,
  outages = new Outages(services, "the bank"),
): Promise<number> {
  const port = bank.ownAccounts;
  if (port === null) return 0;
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_own_bank_accounts",
    text: `
      select organization_id as "organizationId", account_id as "accountId", name, is_open as "isOpen",
          move_id as "moveId", move_in_cents as "moveInCents", leased_until as "leasedUntil"
        from lease_own_bank_accounts($1, $2, $3, $4)`,
    values: [services.clock.now(), LEASE_MS, ASK_AGAIN_MS, limit],
  });
  await Promise.all(rows.map((row) => keepOne(services, port, row, outages)));
  return rows.length;
}

async function keepOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  port: OwnAccountsPort,
  row: LeasedRow,
  outages: Outages,
): Promise<void> {
  const { organizationId, accountId: podId } = row;
  const now = services.clock.now();
  // Outages count under the pod's id: a move that waits at the bank must not delay the organization's notices.
  try {
    const { waitMs, progress } = await follow(services, port, row);
    outages.answered(podId);
    await release(services, row, waitMs, progress);
  } catch (error) {
    const about = { organizationId, podId };
    if (error instanceof BankUnavailable) outages.failed(podId, now, error, about);
    else
      services.log.error(
        { err: error, ...about },
        "a pod’s account at the bank could not be kept; will retry",
      );
    await release(services, row, RETRY_MS, "UNANSWERED");
  }
}

/** What is known of money that must be moved. `KEPT`: nothing new; `UNANSWERED`: stuck if there is a move. */
type Progress = "MOVED" | "REFUSED" | "UNANSWERED" | "KEPT";

interface Followed {
  /** After how long to look again. */
  waitMs: number;
  progress: Progress;
}

async function follow(
  services: Pick<Services, "pool" | "clock" | "log">,
  port: OwnAccountsPort,
  row: LeasedRow,
): Promise<Followed> {
  const pod = { organizationId: row.organizationId, podId: row.accountId, name: row.name };
  if (row.moveId !== null && row.moveInCents !== null) {
    return await finish(services, port, pod, { moveId: row.moveId, amountInCents: row.moveInCents });
  }
  if (!row.isOpen) await port.open(pod);
  const atBankInCents = await port.balanceInCents(pod);
  const moveId = newId(services.clock.now());
  const { rows } = await services.pool.query<{ outcome: Noted; moveInCents: number | null }>({
    name: "note_own_bank_account",
    text: `select outcome, move_in_cents as "moveInCents"
      from note_own_bank_account($1, $2, $3, $4, $5, $6)`,
    values: [pod.organizationId, pod.podId, row.leasedUntil, atBankInCents, moveId, services.clock.now()],
  });
  const [noted] = rows;
  if (noted?.outcome === "WAITS") return { waitMs: WAITING_RETRY_MS, progress: "KEPT" };
  const amountInCents = noted?.moveInCents ?? null;
  if (amountInCents !== null) return await finish(services, port, pod, { moveId, amountInCents });
  return { waitMs: 0, progress: noted?.outcome === "NOTED" ? "MOVED" : "KEPT" };
}

async function finish(
  services: Pick<Services, "pool" | "clock" | "log">,
  port: OwnAccountsPort,
  pod: OwnAccountRequest,
  move: { moveId: string; amountInCents: number },
): Promise<Followed> {
  const outcome = await port.move({ ...pod, ...move });
  await services.pool.query({
    name: "finish_own_bank_move",
    text: `update own_bank_accounts set at_bank_in_cents = at_bank_in_cents + $4, move_id = null, move_in_cents = null,
        refused_at = $5
      where organization_id = $1 and account_id = $2 and move_id = $3`,
    values: [
      pod.organizationId,
      pod.podId,
      move.moveId,
      outcome === "DONE" ? move.amountInCents : 0,
      outcome === "DONE" ? null : services.clock.now(),
    ],
  });
  const { organizationId, podId } = pod;
  if (outcome === "DONE") return { waitMs: 0, progress: "MOVED" };
  services.log.warn(
    { organizationId, podId, ...move },
    "the bank refused to move money of a pod; will retry",
  );
  return { waitMs: REFUSED_RETRY_MS, progress: "REFUSED" };
}

async function release(
  services: Pick<Services, "pool" | "clock">,
  row: LeasedRow,
  waitMs: number,
  progress: Progress,
): Promise<void> {
  const now = services.clock.now();
  await services.pool.query({
    name: "release_own_bank_account",
    text: `update own_bank_accounts set leased_until = null, due_at = $3,
        stuck_since = case when $5 = 'MOVED' then null
          when $5 = 'REFUSED' or ($5 = 'UNANSWERED' and move_id is not null) then coalesce(stuck_since, $6)
          else stuck_since end
      where organization_id = $1 and account_id = $2 and leased_until = $4`,
    values: [
      row.organizationId,
      row.accountId,
      new Date(now.getTime() + waitMs),
      row.leasedUntil,
      progress,
      now,
    ],
  });
}
