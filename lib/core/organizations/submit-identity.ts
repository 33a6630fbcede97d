import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { DocumentMediaType } from "@/lib/contract/input/document-types";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import type { identityInputSchema } from "@/lib/contract/onboarding";
import {
  type IdentityRow,
  type IdentityStatus,
  type KeptSubject,
  type RecordSetting,
  recordIdentity,
  subjectsSchema,
} from "@/lib/core/organizations/identity";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { beginningOf } from "@/lib/core/shared/document-type";
import { requireDecider } from "@/lib/core/shared/roles";
import { byOrganizationIdentified, byOrganizationUploading, takeAttempt } from "@/lib/core/shared/throttle";
import { CHECK_IDENTITIES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import {
  type IdentityPort,
  type IdentitySubject,
  IdentityUnavailable,
  MAXIMUM_ANSWER_MS,
} from "@/lib/ports/identity/identity-port";

export type IdentityServices = Pick<Services, "pool" | "clock" | "wake" | "appUrl" | "log">;

/** Twice the service's maximum response time: an earlier poll could precede the arrival of the details. */
export const SETTLES_AFTER_MS = 2 * MAXIMUM_ANSWER_MS;

/**
 * Submits the owners' details to the identity check. The intent is recorded first under its own id; if the response is
 * lost, due work polls instead of resubmitting. Tax numbers, birthdays and addresses are only in this request and with
 * the service.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for an invalid field, and when
 * no details are needed; `RATE_LIMIT_EXCEEDED` after too many applications.
 */
export async function submitIdentity(
  services: IdentityServices,
  identity: IdentityPort,
  context: Context<MemberActor>,
  { business, people }: z.output<typeof identityInputSchema>,
  setting: RecordSetting,
): Promise<void> {
  const subjects: IdentitySubject[] = [
    ...(business ? [{ kind: "BUSINESS" as const, ownsPercent: null, bornOn: null, ...business }] : []),
    ...people.map((person) => ({ kind: "PERSON" as const, ...person })),
  ];
  requireShares(business !== null, people);
  const now = services.clock.now();
  const applicationId = newId(now);
  await begin(services, context, applicationId, subjects, business !== null, now);
  const ids = { organizationId: context.organizationId, applicationId };
  try {
    const state = await identity.submit({ ...ids, subjects }, { businessNow: context.now });
    await recordIdentity(services, ids, state, setting);
  } catch (error) {
    if (!(error instanceof IdentityUnavailable)) throw error;
    services.log.warn({ ...ids, reason: error.message }, "the identity check did not answer; will poll");
    await askSoon(services, ids);
  }
  services.wake(CHECK_IDENTITIES);
}

/** The details may have arrived: an early poll can spare the member the full wait. */
async function askSoon(
  services: IdentityServices,
  { organizationId, applicationId }: { organizationId: string; applicationId: string },
): Promise<void> {
  await services.pool.query({
    name: "ask_identity_soon",
    text: `update identity_checks set due_at = $3
            where organization_id = $1 and application_id = $2 and status = 'SUBMITTING'`,
    values: [organizationId, applicationId, services.clock.now()],
  });
}

function requireShares(isBusiness: boolean, people: readonly { ownsPercent: number | null }[]): void {
  if (!isBusiness) {
    if (people.length !== 1) refuse("people", "An individual account has exactly one person.");
    return;
  }
  people.forEach(({ ownsPercent }, index) => {
    if (ownsPercent === null) refuse(`people.${index}.ownsPercent`, "must be at least 25");
  });
  const together = people.reduce((sum, { ownsPercent }) => sum + (ownsPercent ?? 0), 0);
  if (together > 100) refuse("people.0.ownsPercent", `must be less: the total is ${together}%`);
}

function refuse(field: string, message: string): never {
  throw new AppError("INVALID_PARAMETERS", message, [{ field, message }]);
}

async function begin(
  services: IdentityServices,
  context: Context<MemberActor>,
  applicationId: string,
  subjects: readonly IdentitySubject[],
  isBusiness: boolean,
  now: Date,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "submit the owners' details");
    await requireAsked(client, context.organizationId, isBusiness);
    await requireTurn(services, context.organizationId);
    const kept: KeptSubject[] = subjects.map(({ kind, name, ownsPercent, taxId }) => ({
      kind,
      name,
      ownsPercent,
      taxIdLast4: taxId.slice(-4),
      said: { state: "CHECKING" },
    }));
    await client.query({
      name: "begin_identity",
      text: `update identity_checks set status = 'SUBMITTING', application_id = $2, subjects = $3, problem = null,
                submitted_by = $4, submitted_at = $5, decided_at = null, due_at = $6, leased_until = null, attempts = 0
              where organization_id = $1`,
      values: [
        context.organizationId,
        applicationId,
        JSON.stringify(kept),
        context.actor.id,
        now,
        new Date(now.getTime() + SETTLES_AFTER_MS),
      ],
    });
  });
}

/** Locked: of two concurrent submissions the second one finds that the check is running. */
async function requireAsked(client: Queryable, organizationId: string, isBusiness: boolean): Promise<void> {
  const { rows } = await client.query<{ status: IdentityStatus; kind: "BUSINESS" | "INDIVIDUAL" }>({
    name: "lock_identity_to_begin",
    text: `select i.status, o.kind from identity_checks i join organizations o on o.id = i.organization_id
            where i.organization_id = $1 for no key update of i`,
    values: [organizationId],
  });
  const row = rows[0];
  if (row?.status !== "NEEDED" && row?.status !== "REFUSED") {
    throw new AppError("INVALID_PARAMETERS", "No details are needed at the moment. Reload the page.");
  }
  if ((row.kind === "BUSINESS") !== isBusiness) {
    throw new AppError("INVALID_PARAMETERS", "The details do not match this kind of organization.");
  }
}

async function requireTurn(services: IdentityServices, organizationId: string): Promise<void> {
  const attempt = await takeAttempt(services, [byOrganizationIdentified(organizationId)]);
  if (attempt.kind === "TAKEN") return;
  const hours = Math.ceil(attempt.retryAfterSeconds / 3_600);
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many submissions today. Nothing was sent. Try again in ${hours} h.`,
  );
}

/**
 * Passes a document that the identity check asked for on to it. It stays in memory and is not stored.
 * @param input.content 1 byte to MAXIMUM_DOCUMENT_BYTES, a JPEG, PNG or PDF by its own first bytes
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for any other file, and when no
 * document is requested; `RATE_LIMIT_EXCEEDED`.
 */
export async function addIdentityDocument(
  services: IdentityServices,
  identity: IdentityPort,
  context: Context<MemberActor>,
  input: { subjectIndex: number; content: Uint8Array },
  setting: RecordSetting,
): Promise<void> {
  const mediaType = mediaTypeOf(input.content);
  const applicationId = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "add a document");
    const { rows } = await client.query<IdentityRow>({
      name: "read_identity_of_document",
      text: `select organization_id as "organizationId", application_id as "applicationId", status,
          subjects from identity_checks
              where organization_id = $1 and status = 'NEEDS_DOCUMENT'`,
      values: [context.organizationId],
    });
    const row = rows[0];
    const subject = row && subjectsSchema.parse(row.subjects)[input.subjectIndex];
    if (subject?.said.state !== "NEEDS_DOCUMENT") throw refused("No document is needed. Reload the page.");
    return row?.applicationId ?? "";
  });
  const attempt = await takeAttempt(services, [byOrganizationUploading(context.organizationId)]);
  if (attempt.kind === "THROTTLED") {
    const minutes = Math.ceil(attempt.retryAfterSeconds / 60);
    throw new AppError("RATE_LIMIT_EXCEEDED", `Too many uploads. Try again in ${minutes} min.`);
  }
  const ids = { organizationId: context.organizationId, applicationId };
  const document = {
    ...ids,
    subjectIndex: input.subjectIndex,
    documentId: newId(services.clock.now()),
    mediaType,
    content: input.content,
  };
  const state = await handOver(identity, document, context.now);
  if (!state) throw refused("The identity check no longer has this application. Reload the page.");
  await recordIdentity(services, ids, state, setting);
}

async function handOver(
  identity: IdentityPort,
  document: Parameters<IdentityPort["addDocument"]>[0],
  businessNow: Date,
) {
  try {
    return await identity.addDocument(document, { businessNow });
  } catch (error) {
    if (!(error instanceof IdentityUnavailable)) throw error;
    throw refused("The identity check did not answer, so the file may not have arrived. Send it again.");
  }
}

function mediaTypeOf(content: Uint8Array): DocumentMediaType {
  if (content.length > MAXIMUM_DOCUMENT_BYTES)
    throw refused("The file is larger than 5 MB. Nothing was sent.");
  const found = beginningOf(content);
  if (!found) throw refused("The file is neither a JPEG or PNG photo nor a PDF. Nothing was sent.");
  return found;
}

const refused = (message: string) => new AppError("INVALID_PARAMETERS", message);
