import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { Labels, MetadataPair } from "@/lib/contract/input/labels";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import {
  MAXIMUM_PAYEES,
  MAXIMUM_PROPOSED_PAYEES,
  type newPayeeSchema,
  type Payee,
  type PayeeState,
  type ProposePayeeBody,
} from "@/lib/contract/payee";
import {
  type Announcement,
  PAYEE_COLUMNS,
  type PayeeEvent,
  type PayeeRow,
  recordPayeeEvent,
  toPayee,
} from "@/lib/core/payees/payee-record";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import {
  alikeIn,
  partyNamesOn,
  readLookAlikeParties,
  type WithPartyNames,
} from "@/lib/core/shared/look-alikes";
import { requirePermission } from "@/lib/core/shared/permits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Proposes a payee for a key or an assistant: a name, without an account. Its account comes from a member or from the
 * payee, and only a member's confirmation makes it payable.
 * A name may be proposed again; of two with one name only one can be confirmed.
 * @throws AppError `ACCESS_DENIED`; `INVALID_PARAMETERS` above MAXIMUM_PAYEES; `RATE_LIMIT_EXCEEDED` while too many
 * payees of this caller wait; as `writeOnce`.
 */
export async function proposePayee(
  services: Pick<Services, "pool" | "wake">,
  context: Context<CallerActor>,
  body: ProposePayeeBody,
  request: WriteRequest,
): Promise<WriteResult> {
  requirePermission(context.actor, "CREATE_ACCOUNTS");
  const result = await writeOnce(services, context, request, async (client) => {
    await lockPayeeList(client, context.organizationId);
    await requireFewProposed(client, context);
    const by = { kind: "API_KEY", id: context.actor.id, name: context.actor.name } as const;
    const id = await insertPayee(
      client,
      context,
      {
        ...body,
        email: body.email ?? null,
        externalId: body.externalId ?? null,
        metadata: body.metadata ?? [],
      },
      by,
      body.reason ?? null,
    );
    const payee = await findPayee(client, context, id);
    if (!payee) throw new Error("A new payee was not found.");
    return payee;
  });
  if (result.kind === "RECORDED") services.wake(SEND_NOTICES);
  return result;
}

/** Until the commit: counts stay valid, and of two concurrent payees with one name the second one finds the first. */
export async function lockPayeeList(client: Queryable, organizationId: string): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1 || '|payees', 0))", [organizationId]);
}

/** A program that proposes without end must not fill the members' list. */
async function requireFewProposed(client: Queryable, context: Context<CallerActor>): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from payees where organization_id = $1 and version = 0 and removed_at is null
        and proposed_by_kind = 'API_KEY' and proposed_by_id = $2`,
    [context.organizationId, context.actor.id],
  );
  if ((rows[0]?.count ?? 0) < MAXIMUM_PROPOSED_PAYEES) return;
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `${MAXIMUM_PROPOSED_PAYEES} payees that you proposed already wait for a member. Wait until some are decided. Nothing was proposed.`,
  );
}

type NewPayee = Pick<z.output<typeof newPayeeSchema>, "name" | "kind" | "rail" | "email"> & Partial<Labels>;

/**
 * Writes a payee that nobody has confirmed, under `lockPayeeList`.
 * @throws AppError `INVALID_PARAMETERS` above MAXIMUM_PAYEES.
 */
export async function insertPayee(
  client: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  payee: NewPayee,
  by: PayeeEvent["by"] & { kind: "MEMBER" | "API_KEY" },
  reason: string | null,
  announcement: Announcement = "ALONE",
): Promise<string> {
  const { organizationId, now } = context;
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from payees where organization_id = $1 and removed_at is null",
    [organizationId],
  );
  if ((rows[0]?.count ?? 0) >= MAXIMUM_PAYEES) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `There are ${MAXIMUM_PAYEES} payees, the maximum. Remove one first. Nothing was added.`,
    );
  }
  const id = newId(now);
  await client.query(
    `insert into payees (organization_id, id, name, kind, rail, email, reason, proposed_by_kind, proposed_by_id,
        proposed_by_name, created_at, updated_at, external_id, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13)`,
    [
      organizationId,
      id,
      payee.name,
      payee.kind,
      payee.rail,
      payee.email,
      reason,
      by.kind,
      by.id,
      by.name,
      now,
      payee.externalId ?? null,
      JSON.stringify(payee.metadata ?? []),
    ],
  );
  const event = {
    payeeId: id,
    kind: "PROPOSED",
    by,
    name: payee.name,
    accountNumberLast4: null,
    version: null,
    note: reason,
  } as const;
  await recordPayeeEvent(client, context, event, announcement);
  return id;
}

async function findPayee(database: Queryable, context: Context, payeeId: string): Promise<Payee | null> {
  const { rows } = await database.query<PayeeRow>(
    `select ${PAYEE_COLUMNS} from payees p where p.organization_id = $1 and p.id = $3`,
    [context.organizationId, context.now, payeeId],
  );
  if (!rows[0]) return null;
  const alike = await readLookAlikeParties(database, context.organizationId);
  return toPayee(rows[0], alike.get(payeeId));
}

/**
 * Payees of the organization without any number, oldest first.
 * @param input.states empty: all
 * @param input.metadata one pair that it must have; null: any
 * @throws AppError `ACCESS_DENIED`
 */
export async function listPayees(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  input: PageRequest & {
    states: readonly PayeeState[];
    externalId: string | null;
    metadata: MetadataPair | null;
  },
): Promise<Page<Payee>> {
  requirePermission(context.actor, "READ_ACCOUNTS");
  const { rows } = await services.pool.query<PayeeRow & WithPartyNames>({
    name: "list_payees",
    text: `select *, ${partyNamesOn("row_number() over (order by id) = $5::bigint + 1")} from (select ${PAYEE_COLUMNS} from payees p where p.organization_id = $1
          and ($6::text is null or p.external_id = $6) and ($7::jsonb is null or p.metadata @> $7)) payee
      where cardinality($3::text[]) = 0
        or case when "isRemoved" then 'REMOVED' when version > 0 then 'ACTIVE' when "hasWaiting" then 'WAITING'
            else 'NEEDS_DETAILS' end = any ($3)
      order by id limit $4 offset $5`,
    values: [
      context.organizationId,
      context.now,
      input.states,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
      input.externalId,
      input.metadata && JSON.stringify([input.metadata]),
    ],
  });
  const alike = alikeIn(rows);
  return toPage(rows, input, (row) => toPayee(row, alike.get(row.id)));
}
