import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { IdentityState, SubjectState } from "@/lib/ports/identity/identity-port";
import { type IdentityReport, renderIdentityReport } from "@/lib/words/messages/member-messages";

/** What is stored of an identity check: only what members must recognize, and the result. */

const stateSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("CHECKING") }),
  z.object({ state: z.literal("APPROVED") }),
  z.object({
    state: z.literal("NEEDS_DOCUMENT"),
    document: z.enum(["PHOTO_ID", "FORMATION"]),
    reason: z.string(),
  }),
  z.object({ state: z.literal("REFUSED"), reason: z.string() }),
]);

export const subjectsSchema = z.array(
  z.object({
    kind: z.enum(["BUSINESS", "PERSON"]),
    name: z.string(),
    ownsPercent: z.number().nullable(),
    taxIdLast4: z.string(),
    said: stateSchema,
  }),
);
export type KeptSubject = z.infer<typeof subjectsSchema>[number];

export type IdentityStatus = "NEEDED" | "SUBMITTING" | "CHECKING" | "NEEDS_DOCUMENT" | "APPROVED" | "REFUSED";

/** The columns that callers select from `identity_checks`. */
export interface IdentityRow {
  organizationId: string;
  applicationId: string;
  status: IdentityStatus;
  subjects: unknown;
}

const MAXIMUM_REASON_LENGTH = 400;

/** The stored subjects with their current result; the service may report too few, and never more than there are. */
function withSaid(subjects: readonly KeptSubject[], state: IdentityState): KeptSubject[] {
  return subjects.map((subject, index) => {
    const said = state.subjects[index];
    return said ? { ...subject, said: shortened(said) } : subject;
  });
}

function shortened(said: SubjectState): SubjectState {
  return "reason" in said ? { ...said, reason: said.reason.slice(0, MAXIMUM_REASON_LENGTH) } : said;
}

/** Real time between polls during the check: short at first, since a member may be waiting. */
const ASK_AGAIN_MS = [2_000, 4_000, 10_000, 60_000, 300_000, 1_800_000];
const SLOWEST_MS = 1_800_000;

export function askAgainMs(attempts: number): number {
  return ASK_AGAIN_MS[attempts] ?? SLOWEST_MS;
}

export interface RecordSetting {
  isSandboxBank: boolean;
}

/**
 * Records the service's result for an application once: if several processes get the same result, one notifies the
 * owners. Results for an application that is not the current one, or after a final result, are ignored.
 */
export async function recordIdentity(
  services: Pick<Services, "pool" | "clock" | "wake" | "appUrl">,
  { organizationId, applicationId }: { organizationId: string; applicationId: string },
  state: IdentityState,
  setting: RecordSetting,
): Promise<void> {
  const now = services.clock.now();
  const isNews = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<IdentityRow & { attempts: number }>({
      name: "lock_identity_to_record",
      text: `select organization_id as "organizationId", application_id as "applicationId", status, subjects,
          attempts from identity_checks
              where organization_id = $1 and application_id = $2 and status not in ('APPROVED', 'REFUSED')
              for no key update`,
      values: [organizationId, applicationId],
    });
    const before = rows[0];
    if (!before) return false;
    const subjects: KeptSubject[] = withSaid(subjectsSchema.parse(before.subjects), state);
    const isChecking = state.state === "CHECKING";
    const isFinal = state.state === "APPROVED" || state.state === "REFUSED";
    await client.query({
      name: "record_identity",
      text: `update identity_checks set status = $3, subjects = $4, problem = null, due_at = $5, leased_until = null,
                decided_at = $6, attempts = case when $3 = 'CHECKING' then attempts else 0 end
              where organization_id = $1 and application_id = $2`,
      values: [
        organizationId,
        applicationId,
        state.state,
        JSON.stringify(subjects),
        isChecking ? new Date(now.getTime() + askAgainMs(before.attempts)) : null,
        isFinal ? now : null,
      ],
    });
    if (state.state === "CHECKING" || state.state === before.status) return false;
    await noteIdentity(client, services, organizationId, state.state, setting, now);
    return true;
  });
  if (isNews) services.wake(SEND_MESSAGES);
}

/**
 * Requires that the organization may hold money: its identity check is approved, or it never needed one. Checked only
 * where an account is opened: without accounts nothing can move, so transfers need no check.
 * @throws AppError `ACCESS_DENIED`
 */
export async function requireIdentity(client: Queryable, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ status: IdentityStatus }>({
    name: "read_identity_status",
    text: "select status from identity_checks where organization_id = $1",
    values: [organizationId],
  });
  const status = rows[0]?.status ?? "APPROVED";
  if (status === "APPROVED") return;
  throw new AppError(
    "ACCESS_DENIED",
    "This organization has not completed its identity check, so it cannot hold money yet. An owner or co-owner can continue at /welcome. Nothing was opened.",
  );
}

const MAXIMUM_NOTIFIED = 200;

interface OwnerRow {
  id: string;
  email: string;
  organizationName: string;
  timeZone: string;
  businessNow: Date;
}

/**
 * Queues an email to every owner and co-owner with a result of the check that they wait for.
 * @param now real time
 */
export async function noteIdentity(
  client: Queryable,
  { appUrl }: Pick<Services, "appUrl">,
  organizationId: string,
  outcome: IdentityReport["outcome"],
  { isSandboxBank }: { isSandboxBank: boolean },
  now: Date,
): Promise<void> {
  const { rows } = await client.query<OwnerRow>({
    name: "read_owners_of_identity",
    text: `select u.id, u.email, o.name as "organizationName", o.time_zone as "timeZone",
              $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as "businessNow"
             from organizations o
             join memberships m on m.organization_id = o.id and m.role in ('OWNER', 'CO_OWNER')
             join users u on u.id = m.user_id
            where o.id = $1 order by u.id limit ${MAXIMUM_NOTIFIED}`,
    values: [organizationId, now],
  });
  for (const owner of rows) {
    const { subject, text, html } = renderIdentityReport(
      { outcome, identityUrl: `${appUrl}/welcome/${outcome === "APPROVED" ? "pods" : "identity"}` },
      { organizationName: owner.organizationName, timeZone: owner.timeZone, isSandboxBank },
    );
    await client.query({
      name: "queue_identity_told",
      text: `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html,
               status, created_at, due_at)
             values ($1, $2, 'IDENTITY_CHECK', 'EMAIL', $3, $4, $5, $6, $7, 'QUEUED', $8, '-infinity')`,
      values: [
        organizationId,
        newId(owner.businessNow),
        owner.id,
        owner.email,
        subject,
        text,
        html,
        owner.businessNow,
      ],
    });
  }
}
