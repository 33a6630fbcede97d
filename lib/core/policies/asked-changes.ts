import { AppError } from "@/lib/contract/error";
import { askedChangeHref } from "@/lib/contract/hrefs";
import type { AskedChangeAct } from "@/lib/contract/organization";
import {
  type AskedChangeState,
  type WantedChange,
  type WantedChangeKind,
  wantedChangeSchema,
} from "@/lib/contract/policies/asked-change";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import { readChangeSigning, type SignedChange, signChange } from "@/lib/core/policies/sign-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** A change that waits for signatures, or how it ended. */
export interface AskedChange {
  id: string;
  wanted: WantedChange;
  /** The name of what it changes, as it was then; null: of the whole organization. */
  subject: string | null;
  state: AskedChangeState;
  askedById: string;
  askedByName: string;
  askedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  endedByName: string | null;
}

interface AskedRow extends Omit<AskedChange, "wanted"> {
  wanted: unknown;
}

const OF_ORGANIZATION = `select c.id, c.wanted, c.subject, c.state, c.asked_by as "askedById", requester.name as "askedByName",
    c.asked_at as "askedAt", c.expires_at as "expiresAt", c.ended_at as "endedAt", ender.name as "endedByName"
  from asked_changes c join users requester on requester.id = c.asked_by left join users ender on ender.id = c.ended_by
 where c.organization_id = $1`;

/** The hash that a new key gets with its last signature. */
export async function readAskedKeyHash(
  client: Queryable,
  organizationId: string,
  id: string,
): Promise<Buffer | null> {
  const { rows } = await client.query<{ keyHash: Buffer | null }>({
    name: "read_asked_key_hash",
    text: `select key_hash as "keyHash" from asked_changes where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  });
  return rows[0]?.keyHash ?? null;
}

/** Null: the organization has none with this id. */
export async function readAskedChange(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<AskedChange | null> {
  const { rows } = await database.query<AskedRow>({
    name: "read_asked_change",
    text: `${OF_ORGANIZATION} and c.id = $2 and c.kind in ('LIMIT', 'KEY')`,
    values: [organizationId, id],
  });
  return rows[0] ? toChange(rows[0]) : null;
}

/** Those that wait, soonest to expire first. `now`: business time. */
export async function readWaitingChanges(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<AskedChange[]> {
  const { rows } = await database.query<AskedRow>({
    name: "read_waiting_changes",
    text: `${OF_ORGANIZATION} and c.state = 'WAITING' and c.kind in ('LIMIT', 'KEY')
        and c.expires_at > $2
      order by c.expires_at, c.id limit 200`,
    values: [organizationId, now],
  });
  return rows.map(toChange);
}

/** Fits a page: of one limit one change waits at most; of new keys the rest are listed under Approvals. */
const OF_A_PAGE = 20;

/**
 * Those of these kinds that wait, soonest to expire first. `now`: business time.
 * @param targetId what they change; null: whatever it is
 */
export async function readWaitingChangesOf(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  kinds: readonly WantedChangeKind[],
  targetId: string | null,
): Promise<AskedChange[]> {
  const { rows } = await database.query<AskedRow>({
    name: "read_waiting_changes_of",
    text: `${OF_ORGANIZATION} and c.state = 'WAITING' and c.what = any ($3) and ($4::uuid is null or c.target_id = $4)
        and c.expires_at > $2
      order by c.expires_at, c.id limit ${OF_A_PAGE}`,
    values: [organizationId, now, kinds, targetId],
  });
  return rows.map(toChange);
}

/**
 * The change that waits for exactly this; null: none. One whose requester is no longer an owner lets no more money out, so it
 * is not asked for again.
 */
async function findSameChange(
  client: Queryable,
  { organizationId, now }: Context,
  wanted: WantedChange,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>({
    name: "find_same_change",
    text: `select c.id from asked_changes c
            join memberships m on m.organization_id = $1 and m.user_id = c.asked_by
             and (m.role = 'OWNER' or c.what <> 'OUTGOING_CAP')
            where c.organization_id = $1 and c.what = $2 and c.target_id = $3 and c.state = 'WAITING'
              and c.wanted = $4 and c.expires_at > $5`,
    values: [organizationId, wanted.what, targetOf(organizationId, wanted), JSON.stringify(wanted), now],
  });
  return rows[0]?.id ?? null;
}

function toChange({ wanted, ...row }: AskedRow): AskedChange {
  return { ...row, wanted: wantedChangeSchema.parse(wanted) };
}

/** What a signature under it binds to, and who counts as its requester. */
export async function signedChangeOf(
  database: Queryable,
  organizationId: string,
  { id, wanted, askedById }: Pick<AskedChange, "id" | "wanted" | "askedById">,
): Promise<SignedChange> {
  return {
    kind: kindOf(wanted),
    subjectId: id,
    signed: [kindOf(wanted), id, wanted],
    payee: null,
    ...(await readAccounts(database, organizationId, wanted)),
    requester: { kind: "MEMBER", id: askedById, memberIds: [askedById] },
  };
}

const kindOf = ({ what }: WantedChange) => (what === "NEW_KEY" || what === "REPLACED_KEY" ? "KEY" : "LIMIT");

/** More than an organization has open. */
const MAXIMUM_ACCOUNTS = 10_000;

/**
 * The accounts that it concerns: the one with the floor, or those between which a key could move. A limit of the whole
 * organization or of a key concerns none by name.
 */
async function readAccounts(
  database: Queryable,
  organizationId: string,
  wanted: WantedChange,
): Promise<Pick<SignedChange, "sourceAccountIds" | "destinationAccountIds">> {
  if (wanted.what === "ACCOUNT_FLOOR") {
    return { sourceAccountIds: [wanted.accountId], destinationAccountIds: [] };
  }
  if (wanted.what !== "NEW_KEY" && wanted.what !== "REPLACED_KEY") {
    return { sourceAccountIds: [], destinationAccountIds: [] };
  }
  const routes = wanted.permissions.flatMap((permission) =>
    permission.type === "MANUAL_TRANSFER" ? permission.entries : [],
  );
  const [sources, targets] = [routes.map(({ source }) => source), routes.map(({ target }) => target)];
  const isAny = sources.includes("ANY") || targets.includes("ANY");
  const all = isAny ? await readOpenAccounts(database, organizationId) : [];
  return {
    sourceAccountIds: sources.includes("ANY") ? all : [...new Set(sources)],
    destinationAccountIds: targets.includes("ANY") ? all : [...new Set(targets)],
  };
}

async function readOpenAccounts(database: Queryable, organizationId: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>({
    name: "read_open_account_ids",
    text: `select id from accounts where organization_id = $1 and deleted_at is null limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId],
  });
  return rows.map(({ id }) => id);
}

/** What is changed, by its id: of these one change waits at most. */
function targetOf(organizationId: string, wanted: WantedChange): string {
  switch (wanted.what) {
    case "ACCOUNT_FLOOR":
      return wanted.accountId;
    case "KEY_CAP":
      return wanted.keyId;
    case "HOOK_APPROVAL":
      return wanted.ruleId;
    case "NEW_KEY":
      return wanted.keyId;
    case "REPLACED_KEY":
      return wanted.oldKeyId;
    default:
      return organizationId;
  }
}

/** As `ask_change` bounds it. */
const MAXIMUM_WAITING = 200;

/** @throws AppError `INVALID_PARAMETERS` where too many changes wait */
async function requireRoom(client: Queryable, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>({
    name: "count_waiting_changes",
    text: "select count(*)::int as count from asked_changes where organization_id = $1 and state = 'WAITING'",
    values: [organizationId],
  });
  if ((rows[0]?.count ?? 0) < MAXIMUM_WAITING) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    "Too many changes wait for signatures. Decide or withdraw some first. Nothing was changed.",
  );
}

interface KeyHash {
  /** Of a new key's text, which is not stored. */
  keyHash?: Buffer | null;
}

/**
 * Whether the policy in force lets the member do alone what lets more through: null, and the caller carries it out in this
 * transaction. Otherwise it is stored as asked, in place of an earlier one of the same limit, with the member's signature
 * where it counts, and those who may sign are notified. What already waits is not asked for twice: it keeps its signatures and
 * its time.
 * The caller holds the organization (`lockOrganization`), under which versions of the policy are published too.
 * @param method how the member confirmed it
 * @returns the page of the change that waits
 */
export async function askForSignatures(
  client: Queryable,
  context: Context<MemberActor>,
  { wanted: given, subject, keyHash = null }: Pick<AskedChange, "wanted" | "subject"> & KeyHash,
  method: ConfirmationMethod,
): Promise<string | null> {
  const { actor, now } = context;
  const id = newId(now);
  // As it will be read, since signatures bind to its text.
  const wanted = wantedChangeSchema.parse(given);
  const change = await signedChangeOf(client, context.organizationId, { id, wanted, askedById: actor.id });
  const signing = await readChangeSigning(client, context, change);
  if (!signing || signing.progress.wouldComplete.includes(actor.id)) return null;
  const sameId = await findSameChange(client, context, wanted);
  if (sameId !== null) return askedChangeHref(sameId);
  await requireRoom(client, context.organizationId);
  const { expiresAfterHours } = signing.ask.requirement;
  await writeAskedChange(client, context, { id, wanted, subject, keyHash }, expiresAfterHours);
  await recordAskedChange(client, context, { id, wanted }, "ASKED");
  if (signing.whyNot(actor.id) === null) await signChange(client, context, change, method);
  const { progress } = (await readChangeSigning(client, context, change)) ?? signing;
  await askSigners(client, context, { id, userIds: progress.maySign });
  return askedChangeHref(id);
}

/** Whether the policy in force asks others than this member alone for such a change. The caller holds the organization. */
export async function needsOthers(
  client: Queryable,
  context: Context<MemberActor>,
  change: SignedChange,
): Promise<boolean> {
  const signing = await readChangeSigning(client, context, change);
  return signing !== null && !signing.progress.wouldComplete.includes(context.actor.id);
}

/** Stores a change as asked, in place of an earlier one of the same limit that waits. @param hours for its signatures */
export async function writeAskedChange(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  { id, wanted, subject, keyHash = null }: Pick<AskedChange, "id" | "wanted" | "subject"> & KeyHash,
  hours: number,
): Promise<void> {
  await client.query({
    name: "ask_change",
    text: "select ask_change($1)",
    values: [
      JSON.stringify({
        organizationId,
        userId: actor.id,
        id,
        kind: kindOf(wanted),
        what: wanted.what,
        targetId: targetOf(organizationId, wanted),
        subject,
        wanted,
        keyHash: keyHash?.toString("hex") ?? null,
        ...deadlinesOf(now, hours),
        now,
      }),
    ],
  });
}

/**
 * Ends a waiting change of a limit that was changed itself, in the transaction that changed it: what waits is about
 * another one.
 */
export async function endOutdatedChange(
  client: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  what: WantedChangeKind,
  targetId: string = organizationId,
): Promise<void> {
  await client.query({
    name: "end_outdated_change",
    text: `select end_asked_change($1, c.id, 'OUTDATED', null, $4) from asked_changes c
            where c.organization_id = $1 and c.what = $2 and c.target_id = $3 and c.state = 'WAITING'`,
    values: [organizationId, what, targetId, now],
  });
}

interface AskedSigners {
  id: string;
  userIds: readonly string[];
  kind?: "CHANGE_SIGNATURE_ASKED" | "CHANGE_SIGNATURE_REMINDER";
}

/** Notifies those whose signature counts now. */
export async function askSigners(
  client: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  { id, userIds, kind = "CHANGE_SIGNATURE_ASKED" }: AskedSigners,
): Promise<void> {
  for (const userId of userIds) {
    await writeNotice(client, {
      organizationId,
      kind,
      subjectId: id,
      userId,
      digestKey: null,
      now,
    });
  }
}

/** Records what a member did with a change that waits, for the activity of people. */
export function recordAskedChange(
  client: Queryable,
  context: Context<MemberActor>,
  { id, wanted }: Pick<AskedChange, "id" | "wanted">,
  act: AskedChangeAct,
): Promise<string> {
  return recordChange(client, context, {
    kind: "ASKED_CHANGE",
    subject: id,
    before: wanted.what,
    after: act,
  });
}
