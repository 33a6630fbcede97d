import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import { MAXIMUM_MANDATES_OF_KEY, type MandateTerms } from "@/lib/contract/mandates/mandate";
import type { MandateNarrowInput, MandateWriteInput } from "@/lib/contract/mandates/signing";
import { type PermissionOf, permissionsSchema } from "@/lib/contract/permissions";
import { type Mandate, readMandate } from "@/lib/core/mandates/read-mandates";
import { readMandateRequirements } from "@/lib/core/mandates/read-requirements";
import { recordMandate } from "@/lib/core/mandates/record-mandate";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide, permissionIn, requirePermission, transferGrant } from "@/lib/core/shared/permits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { isNarrower } from "@/lib/engine/mandates/is-narrower";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const ONLY_KEYS =
  "Only an API key can have a mandate. What an assistant proposes always waits for a person. Nothing was proposed.";

/**
 * A key asks for a mandate, which people may narrow and sign (docs/behavior/mandates.md).
 * @param show the response for its program
 * @throws AppError `ACCESS_DENIED` for an assistant, and for a route that the key may not propose; `MAXIMUM_AMOUNT_EXCEEDED`;
 * `TRANSFER_SOURCE_NOT_FOUND`, `TRANSFER_DESTINATION_NOT_FOUND`; `INVALID_PARAMETERS`, also if its transfers need no approval; `RATE_LIMIT_EXCEEDED` while the key
 * has as many as it may have; as `writeOnce`.
 */
export async function proposeMandate(
  services: Pick<Services, "pool" | "wake">,
  context: Context<CallerActor>,
  { terms, reason }: { terms: MandateTerms; reason: string | null },
  request: WriteRequest,
  show: (mandate: Mandate) => unknown,
): Promise<WriteResult> {
  const { actor, organizationId, now } = context;
  if (actor.kind !== "API_KEY") throw new AppError("ACCESS_DENIED", ONLY_KEYS);
  const permission = requirePermission(actor, "MANUAL_TRANSFER");
  requireUse(permission);
  const result = await writeOnce(services, context, request, async (client) => {
    await requireInside(client, organizationId, permission, terms);
    const id = await write(client, context, { apiKeyId: actor.id, terms, reason, proposedBy: "API_KEY" });
    await askToSign(client, { organizationId, now, digestKey: actor.id }, id);
    return show(await found(client, context, id));
  });
  if (result.kind === "RECORDED") services.wake(SEND_NOTICES);
  return result;
}

/**
 * A member writes a mandate for a key. It lets nothing through before it is signed.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; as `proposeMandate` for the key's own permission.
 */
export async function writeMandate(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { apiKeyId, terms }: MandateWriteInput,
): Promise<{ id: string }> {
  if (!mayDecide(context.actor)) throw mayNot("write a mandate");
  return inTransaction(services.pool, async (client) => {
    const permission = await permissionOfKey(client, context.organizationId, apiKeyId);
    requireUse(permission);
    await requireInside(client, context.organizationId, permission, terms);
    const id = await write(client, context, { apiKeyId, terms, reason: null, proposedBy: "MEMBER" });
    await recordMandate(client, context, id, "ASKED");
    return { id };
  });
}

/**
 * Other terms for one that waits; signatures end with the terms that they were for. What a program asked for is only
 * narrowed.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` if it is wider than asked, no longer
 * waits, or was changed since it was shown.
 */
export async function narrowMandate(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { id, revision, terms }: MandateNarrowInput,
): Promise<void> {
  if (!mayDecide(context.actor)) throw mayNot("change a mandate");
  const { organizationId, actor, now } = context;
  await inTransaction(services.pool, async (client) => {
    const mandate = await found(client, context, id);
    if (mandate.askedTerms !== null && !isNarrower(terms, mandate.askedTerms)) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "This is wider than what the key asked for. Nothing was changed.",
      );
    }
    const permission = await permissionOfKey(client, organizationId, mandate.apiKeyId);
    await requireInside(client, organizationId, permission, terms);
    const { rows } = await client.query<{ isNarrowed: boolean }>({
      name: "narrow_mandate",
      text: `select narrow_mandate($1) as "isNarrowed"`,
      values: [JSON.stringify({ organizationId, userId: actor.id, id, revision, terms, now })],
    });
    if (!rows[0]?.isNarrowed) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "This mandate was signed, ended or changed in the meantime. Load the page again. Nothing was changed.",
      );
    }
    await recordMandate(client, context, id, isNarrower(terms, mandate.terms) ? "NARROWED" : "CHANGED");
  });
}

export const mayNot = (act: string) =>
  new AppError("ACCESS_DENIED", `Only an owner or co-owner may ${act}. Nothing was changed.`);

async function found(client: Queryable, context: Context, id: string): Promise<Mandate> {
  const mandate = await readMandate(client, context, id);
  if (!mandate) throw new AppError("INVALID_PARAMETERS", "There is no such mandate. Nothing was changed.");
  return mandate;
}

/** Notifies everyone who decides: whose signature counts, the page says. A key that asks again and again sends a digest. */
async function askToSign(
  client: Queryable,
  { organizationId, now, digestKey }: { organizationId: string; now: Date; digestKey: string },
  mandateId: string,
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: "MANDATE_ASKED",
    subjectId: mandateId,
    userId: null,
    digestKey,
    now,
  });
}

interface NewMandate {
  apiKeyId: string;
  terms: MandateTerms;
  reason: string | null;
  proposedBy: "API_KEY" | "MEMBER";
}

async function write(
  client: Queryable,
  { organizationId, actor, now }: Context,
  { apiKeyId, terms, reason, proposedBy }: NewMandate,
): Promise<string> {
  const id = newId(now);
  const { requirements } = await readMandateRequirements(
    client,
    { organizationId, now },
    { id, apiKeyId, terms },
  );
  const hours = Math.min(...requirements.map(({ requirement }) => requirement.expiresAfterHours));
  const { rows } = await client.query<{ outcome: "WRITTEN" | "NO_KEY" | "TOO_MANY" }>({
    name: "write_mandate",
    text: "select write_mandate($1) as outcome",
    values: [
      JSON.stringify({
        organizationId,
        id,
        apiKeyId,
        terms,
        isOfProgram: proposedBy === "API_KEY",
        reason,
        proposedBy: { kind: proposedBy, id: actor.id, name: actor.name },
        timeZone: await readTimeZone(client, organizationId),
        now,
        expiresAt: deadlinesOf(now, hours).expiresAt,
        maximum: MAXIMUM_MANDATES_OF_KEY,
      }),
    ],
  });
  const outcome = rows[0]?.outcome;
  if (outcome === "TOO_MANY") {
    throw new AppError(
      "RATE_LIMIT_EXCEEDED",
      `This key has ${MAXIMUM_MANDATES_OF_KEY} mandates already. End one first. Nothing was proposed.`,
    );
  }
  if (outcome !== "WRITTEN") throw noKey();
  return id;
}

const noKey = () =>
  new AppError("INVALID_PARAMETERS", "This organization has no such active key. Nothing was changed.");

/** People would sign for nothing: beyond its daily cap such a key waits for a person, whatever its mandates say. */
function requireUse({ approval }: PermissionOf<"MANUAL_TRANSFER">): void {
  if (approval.required) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    "The transfers of this key need no approval, so a mandate would let nothing more through; only its daily cap holds them back. Nothing was proposed.",
  );
}

/** What a key may propose, of which a mandate is a part. */
async function permissionOfKey(
  client: Queryable,
  organizationId: string,
  apiKeyId: string,
): Promise<PermissionOf<"MANUAL_TRANSFER">> {
  const { rows } = await client.query<{ permissions: unknown }>({
    name: "read_permissions_for_mandate",
    text: `select permissions from api_keys
            where organization_id = $1 and id = $2 and client_id is null and revoked_at is null`,
    values: [organizationId, apiKeyId],
  });
  if (!rows[0]) throw noKey();
  const permission = permissionIn(permissionsSchema.parse(rows[0].permissions), "MANUAL_TRANSFER");
  if (!permission) {
    throw new AppError("INVALID_PARAMETERS", "This key may not make transfers, so it can have no mandate.");
  }
  return permission;
}

interface Side {
  id: string;
  isOutside: boolean;
  isClosed: boolean;
}

/** @throws AppError unless every route exists, comes from a managed account, and is one that the key may propose. */
async function requireInside(
  client: Queryable,
  organizationId: string,
  permission: PermissionOf<"MANUAL_TRANSFER">,
  terms: MandateTerms,
): Promise<void> {
  const { rows } = await client.query<Side>({
    name: "read_sides_of_mandate",
    text: `select id, type = 'EXTERNAL_ACCOUNT' as "isOutside", deleted_at is not null as "isClosed"
             from accounts where organization_id = $1 and id = any ($2)`,
    values: [organizationId, [...terms.sourceAccountIds, ...terms.destinationAccountIds]],
  });
  const sides = new Map(rows.map((side) => [side.id, side]));
  const isOpen = (id: string) => sides.get(id)?.isClosed === false;
  for (const id of terms.sourceAccountIds) {
    if (!isOpen(id))
      throw refused("TRANSFER_SOURCE_NOT_FOUND", "sourceAccountIds", `there is no open account ${id}`);
    if (sides.get(id)?.isOutside) {
      throw refused(
        "INVALID_PARAMETERS",
        "sourceAccountIds",
        `${id} is not managed by Sluice, so no mandate draws from it`,
      );
    }
  }
  for (const id of terms.destinationAccountIds) {
    if (!isOpen(id)) {
      throw refused(
        "TRANSFER_DESTINATION_NOT_FOUND",
        "destinationAccountIds",
        `there is no open account ${id}`,
      );
    }
  }
  for (const sourceId of terms.sourceAccountIds) {
    for (const destinationId of terms.destinationAccountIds) {
      requireGranted(permission, sourceId, destinationId, terms.maximumInCents);
    }
  }
}

function requireGranted(
  permission: PermissionOf<"MANUAL_TRANSFER">,
  sourceId: string,
  destinationId: string,
  maximumInCents: number,
): void {
  const grant = transferGrant(permission, sourceId, destinationId);
  if (!grant) {
    throw new AppError(
      "ACCESS_DENIED",
      `No MANUAL_TRANSFER entry of this key allows a transfer from ${sourceId} to ${destinationId}. A mandate covers only what its key may propose.`,
    );
  }
  const limit = grant.maximumAmountInCents;
  if (limit !== null && maximumInCents > limit) {
    throw new AppError(
      "MAXIMUM_AMOUNT_EXCEEDED",
      `maximumInCents: this key may propose at most ${writeCents(limit)} on this route.`,
      [{ field: "maximumInCents", message: `must be at most ${limit}` }],
    );
  }
}

function refused(
  code: "TRANSFER_SOURCE_NOT_FOUND" | "TRANSFER_DESTINATION_NOT_FOUND" | "INVALID_PARAMETERS",
  field: string,
  message: string,
): AppError {
  return new AppError(code, `${field}: ${message}.`, [{ field, message }]);
}
