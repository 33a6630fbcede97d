import { AppError } from "@/lib/contract/error";
import { type NamedAlike, toLookAlike } from "@/lib/contract/input/look-alike";
import type { Payee, PayeeKind } from "@/lib/contract/payee";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** What happens to a payee; a table of its own, so that its history is complete. */
export type PayeeEventKind =
  | "PROPOSED"
  | "DETAILS_GIVEN"
  /** One of several people that the policy asks for. */
  | "SIGNED"
  | "CONFIRMED"
  | "DECLINED"
  | "REMOVED"
  | "INVITED";

export interface PayeeEvent {
  payeeId: string;
  kind: PayeeEventKind;
  by: { kind: "MEMBER" | "API_KEY" | "PAYEE"; id: string | null; name: string };
  /** At the time. */
  name: string;
  accountNumberLast4: string | null;
  version: number | null;
  note: string | null;
}

/**
 * How an event is announced. `WITH_THE_NEXT`: the next event of the same act announces it too. `importId`: by the one
 * notice of the import (`announceImport`).
 */
export type Announcement = "ALONE" | "WITH_THE_NEXT" | { importId: string };

/**
 * Records what happened to a payee and announces it to every owner and co-owner, in the transaction of the change; wake
 * SEND_NOTICES after it.
 */
export async function recordPayeeEvent(
  client: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  event: PayeeEvent,
  announcement: Announcement = "ALONE",
): Promise<void> {
  const id = newId(now);
  const importId = typeof announcement === "object" ? announcement.importId : null;
  await client.query({
    name: "record_payee_event",
    text: `insert into payee_events (organization_id, id, payee_id, kind, by_kind, by_id, by_name, at, name,
        account_number_last4, version, note, import_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      organizationId,
      id,
      event.payeeId,
      event.kind,
      event.by.kind,
      event.by.id,
      event.by.name,
      now,
      event.name,
      event.accountNumberLast4,
      event.version,
      event.note,
      importId,
    ],
  });
  if (importId !== null) await queueImportNotice(client, { organizationId, now }, importId);
  if (announcement !== "ALONE") return;
  await writeNotice(client, {
    organizationId,
    kind: "PAYEE_CHANGED",
    subjectId: id,
    userId: null,
    // A confirmation changes where money can go: no flood of proposals may bury it.
    digestKey: event.kind === "CONFIRMED" ? null : organizationId,
    now,
  });
}

/** How long an import that ends without its last step waits before it is announced: longer than one takes. */
const ANNOUNCED_AFTER_MS = 15 * 60_000;

/** With the first payee of an import, so that a crash between two lines leaves none unannounced. */
async function queueImportNotice(
  client: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  importId: string,
): Promise<void> {
  await client.query({
    name: "queue_import_notice",
    text: `insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
      select $1, $2, 'PAYEES_IMPORTED', $3, $4, $5 where not exists (select from notices n
        where n.organization_id = $1 and n.kind = 'PAYEES_IMPORTED' and n.subject_id = $3 and n.handled_at is null)`,
    values: [organizationId, newId(now), importId, now, new Date(now.getTime() + ANNOUNCED_AFTER_MS)],
  });
}

/** Announces what an import added, by one notice to each owner and co-owner. Wake SEND_NOTICES after it. */
export async function announceImport(
  client: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  importId: string,
): Promise<void> {
  await client.query({
    name: "announce_import",
    text: `update notices set due_at = $3
      where organization_id = $1 and kind = 'PAYEES_IMPORTED' and subject_id = $2 and handled_at is null`,
    values: [organizationId, importId, now],
  });
}

export interface LockedPayee {
  id: string;
  name: string;
  kind: PayeeKind;
  email: string | null;
  version: number;
  isRemoved: boolean;
}

/**
 * A payee, locked until the commit, so that of two concurrent changes the second one sees the first.
 * @throws AppError `INVALID_PARAMETERS` when the organization has no such payee, or it was removed.
 */
export async function lockPayee(
  client: Queryable,
  organizationId: string,
  payeeId: string,
): Promise<LockedPayee> {
  const { rows } = await client.query<LockedPayee>({
    name: "lock_payee",
    text: `select id, name, kind, email, version, removed_at is not null as "isRemoved" from payees
      where organization_id = $1 and id = $2 for no key update`,
    values: [organizationId, payeeId],
  });
  const payee = rows[0];
  if (!payee) {
    throw new AppError("INVALID_PARAMETERS", "There is no such payee. Nothing was changed.");
  }
  if (payee.isRemoved) {
    throw new AppError("INVALID_PARAMETERS", "This payee was removed. Nothing was changed.");
  }
  return payee;
}

/** The columns of `Payee`, from `payees p` at business time `$2`. */
export const PAYEE_COLUMNS = `
  p.id, p.name, p.kind, p.rail, p.version, p.removed_at is not null as "isRemoved",
  exists (select from payee_details d where d.organization_id = p.organization_id and d.payee_id = p.id
    and d.state = 'WAITING') as "hasWaiting",
  case when p.cools_off_until > $2 then p.cools_off_until end as "coolsOffUntil",
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.external_id as "externalId", p.metadata`;

export interface PayeeRow extends Pick<Payee, "id" | "name" | "kind" | "rail" | "externalId" | "metadata"> {
  version: number;
  isRemoved: boolean;
  hasWaiting: boolean;
  coolsOffUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export function toPayee(row: PayeeRow, alike: NamedAlike | undefined): Payee {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    rail: row.rail,
    state: stateOf(row),
    changeIsWaiting: !row.isRemoved && row.version > 0 && row.hasWaiting,
    coolsOffUntil: row.isRemoved ? null : (row.coolsOffUntil?.toISOString() ?? null),
    lookAlike: row.isRemoved ? null : toLookAlike(alike),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    externalId: row.externalId,
    metadata: row.metadata,
  };
}

function stateOf({ version, isRemoved, hasWaiting }: PayeeRow): Payee["state"] {
  if (isRemoved) return "REMOVED";
  if (version > 0) return "ACTIVE";
  return hasWaiting ? "WAITING" : "NEEDS_DETAILS";
}
