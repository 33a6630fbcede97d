import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import { type BankCapabilities, bankProblem } from "@/lib/contract/bank-capabilities";
import type { MoveDraft } from "@/lib/contract/move";
import { canBeSource } from "@/lib/contract/rules/account-sides";
import { runChecks } from "@/lib/core/approvals/checks";
import { describeKnockOn } from "@/lib/core/approvals/describe-knock-on";
import { accountKind, describeTransfer } from "@/lib/core/approvals/describe-transfer";
import { approvalDigest } from "@/lib/core/approvals/digest";
import {
  NOT_THERE,
  readDraftFacts,
  refused,
  requireMover,
  routeOfDraft,
} from "@/lib/core/approvals/draft-facts";
import { forecastApproval } from "@/lib/core/approvals/forecast-approval";
import { readClosedGates } from "@/lib/core/keys/gates";
import { listDeciders } from "@/lib/core/organizations/list-deciders";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import { IS_REGISTERED } from "@/lib/core/transfers/find-parties";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { TimedReading } from "@/lib/views/reading";

/** The most accounts to choose from; larger organizations start from an account's page. */
const MAXIMUM_ACCOUNTS = 500;

/** Values prefilled from the URL; invalid ones are ignored. */
type MovePrefill = {
  sourceAccountId: string | null;
  destinationAccountId: string | null;
  amountInCents: number | null;
};

/** The page on which a member moves money: the open accounts with what each can pay. Any member may read it. */
export async function readMovePage(
  { services, context, time }: TimedReading<"pool" | "clock" | "bankCapabilities">,
  prefill: MovePrefill,
) {
  const { pool, bankCapabilities } = services;
  const [accounts, memberHasPasskey, deciders, closedGates] = await Promise.all([
    listMoveAccounts(pool, context.organizationId, prefill, bankCapabilities),
    hasPasskey(pool, context.actor.id),
    listDeciders(pool, context.organizationId),
    readClosedGates(pool, context.organizationId),
  ]);
  const isSource = accounts.some(
    ({ id, canGive, cannotGive }) => canGive && cannotGive === null && id === prefill.sourceAccountId,
  );
  const isDestination = accounts.some(
    ({ id, cannotTake }) => cannotTake === null && id === prefill.destinationAccountId,
  );
  return {
    /** New each time the page is rendered. */
    draftId: newId(context.now),
    accounts,
    /** From the URL; null if it names none that exists. */
    prefill: {
      sourceAccountId: isSource ? prefill.sourceAccountId : null,
      destinationAccountId: isDestination ? prefill.destinationAccountId : null,
      amountInCents: prefill.amountInCents,
    },
    /** Nothing moves until someone opens them. */
    areGatesClosed: closedGates !== null,
    viewer: {
      canMove: mayDecide(context.actor),
      role: context.actor.role,
      hasPasskey: memberHasPasskey,
      freshUntil: freshSignInUntil(services, context, memberHasPasskey),
      deciders,
    },
    time,
  };
}

/** The page on which a member moves money. */
export type MoveView = Awaited<ReturnType<typeof readMovePage>>;

/** Created once: comparing strings directly creates one per pair. */
const NAMES = new Intl.Collator();

interface MoveAccountRow {
  id: string;
  name: string;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  refreshedAt: Date | null;
  connectionId: string | null;
  availableInCents: number | null;
  isRegistered: boolean;
}

/** Beside the name of an account in a list. */
function whyNot(
  row: MoveAccountRow,
  direction: "MONEY_IN" | "MONEY_OUT",
  capabilities: BankCapabilities,
): string | null {
  if (row.type !== "EXTERNAL_ACCOUNT") return null;
  const outside = { isRegistered: row.isRegistered, externalAccountType: row.externalAccountType };
  if (bankProblem(capabilities, direction, outside) === null) return null;
  const isPossible = direction === "MONEY_IN" ? capabilities.pull : capabilities.push;
  return isPossible ? "not registered at the bank" : "the bank cannot do this";
}

/** Always includes the accounts named in the URL. */
async function listMoveAccounts(
  pool: Queryable,
  organizationId: string,
  { sourceAccountId, destinationAccountId }: MovePrefill,
  bankCapabilities: BankCapabilities,
) {
  const { rows } = await pool.query<MoveAccountRow>({
    name: "list_move_accounts",
    text: `
      select a.id, a.name, a.type, a.external_account_type as "externalAccountType", p.refreshed_at as "refreshedAt",
          c.id as "connectionId",
          ${IS_REGISTERED} as "isRegistered",
          -- As read_account_facts computes it; incoming transfers are not needed here.
          coalesce(l.credits_in_cents - l.debits_in_cents - l.held_in_cents,
            case when p.refreshed_at is not null then coalesce(p.available_balance_in_cents, p.balance_in_cents) - (
              select coalesce(sum(pulled.amount_in_cents), 0)::bigint from transfers pulled
               where pulled.organization_id = $1 and pulled.source_account_id = a.id
                 and pulled.execution_mode = 'LIVE' and pulled.accepted_at >= p.refreshed_at
                 and pulled.id >= first_id_at(p.refreshed_at - interval '2 days')
                 and pulled.status in ('PROCESSING', 'COMPLETE')) end) as "availableInCents"
        from accounts a
        left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
        left join connections c
          on c.organization_id = a.organization_id and c.id = a.connection_id and c.status = 'ACTIVE'
       where a.organization_id = $1 and a.deleted_at is null
       order by a.id = $2 or a.id = $3 desc, a.type = 'EXTERNAL_ACCOUNT', a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId, sourceAccountId, destinationAccountId],
  });
  const accounts = rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: accountKind({ type: row.type, externalAccountType: row.externalAccountType }),
    isOutside: row.type === "EXTERNAL_ACCOUNT",
    /** Whether money can be drawn from it at all. */
    canGive: canBeSource(row.type, row.externalAccountType),
    /** Why the bank moves no money between it and Sluice, in a few words for a list; null: it does. */
    cannotGive: whyNot(row, "MONEY_IN", bankCapabilities),
    cannotTake: whyNot(row, "MONEY_OUT", bankCapabilities),
    /** Available amount; null: unknown, which is never zero. */
    availableInCents: row.availableInCents,
    /** When its bank reported it; null for our own books, and if the bank never did. */
    balanceAt: row.refreshedAt?.toISOString() ?? null,
    /** Connection through which its bank can be asked again; null for our own accounts, and if a sign-in is required. */
    connectionId: row.connectionId,
  }));
  return accounts.sort((a, b) => Number(a.isOutside) - Number(b.isOutside) || NAMES.compare(a.name, b.name));
}

/** An open account that a member can move money from or to. */
export type MoveAccountView = Awaited<ReturnType<typeof listMoveAccounts>>[number];

/**
 * What a draft would do if confirmed now: balances, triggered rules, checks, and the digest that a confirmation must
 * include. Read-only.
 * @throws AppError `ACCESS_DENIED` unless requested by an owner or co-owner; `INVALID_PARAMETERS` if money cannot take
 *   this route.
 */
export async function previewMove(
  { services, context, time }: TimedReading<"pool" | "bankCapabilities">,
  draft: MoveDraft,
) {
  requireMover(context);
  const { pool } = services;
  const direction = await routeOfDraft(services, context, draft);
  const facts = await readDraftFacts(pool, context, draft, direction);
  if (!facts) throw refused(NOT_THERE);
  const forecast = await forecastApproval(pool, context, facts, time.timeZone);
  const checks = runChecks(facts);
  const { amountInCents, source, destination, balances, together, settlesOver } = describeTransfer(
    facts,
    "WAITING",
    forecast,
  );
  return {
    amountInCents,
    source,
    destination,
    balances,
    together,
    checks,
    /** What the member attached; kept with the transfer once it is confirmed. */
    documents: facts.documents.map(({ id, name, sizeInBytes }) => ({ id, name, sizeInBytes })),
    knockOn: describeKnockOn(forecast),
    settlesOver,
    digest: approvalDigest(facts, checks),
    time,
  };
}

/** What a draft would do right now. Forecasts may shift; the digest covers the rest. */
export type MovePreview = Awaited<ReturnType<typeof previewMove>>;
