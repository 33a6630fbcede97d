import {
  askAgainMs,
  noteIdentity,
  type RecordSetting,
  recordIdentity,
} from "@/lib/core/organizations/identity";
import { type IdentityServices, SETTLES_AFTER_MS } from "@/lib/core/organizations/submit-identity";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import { type IdentityPort, MAXIMUM_ANSWER_MS } from "@/lib/ports/identity/identity-port";

/** Longer than the service may take to answer. */
const LEASE_MS = 2 * MAXIMUM_ANSWER_MS;
const NOT_RECEIVED = "The details did not reach the identity check. Enter them again: Sluice keeps no copy.";

interface LeasedRow {
  organizationId: string;
  applicationId: string;
  status: "SUBMITTING" | "CHECKING";
  submittedAt: Date;
  attempts: number;
  clockOffsetMs: number;
}

/**
 * Asks the identity check about pending applications: leased, asked outside any transaction, recorded. If one never
 * arrived, the member must enter it again: its details are not stored, so it cannot be resent.
 * @returns how many were leased.
 */
export async function checkIdentities(
  services: IdentityServices,
  identity: IdentityPort,
  setting: RecordSetting,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_identities",
    text: `
      with due as (
        select organization_id from identity_checks
         where due_at <= $1 and (leased_until is null or leased_until < $1)
         order by due_at limit $2 for no key update skip locked)
      update identity_checks i set leased_until = $1::timestamptz + $3 * interval '1 millisecond',
          attempts = i.attempts + 1
        from due join organizations o on o.id = due.organization_id
       where i.organization_id = due.organization_id
      returning i.organization_id as "organizationId", i.application_id as "applicationId", i.status,
          i.submitted_at as "submittedAt", i.attempts, o.clock_offset_ms as "clockOffsetMs"`,
    values: [services.clock.now(), limit, LEASE_MS],
  });
  await Promise.all(rows.map((row) => checkOne(services, identity, setting, row)));
  return rows.length;
}

async function checkOne(
  services: IdentityServices,
  identity: IdentityPort,
  setting: RecordSetting,
  row: LeasedRow,
): Promise<void> {
  const ids = { organizationId: row.organizationId, applicationId: row.applicationId };
  const businessNow = businessTime(services.clock, row.clockOffsetMs);
  try {
    const state = await identity.find({ ...ids, businessNow });
    if (state) return await recordIdentity(services, ids, state, setting);
    const settlesAt = row.submittedAt.getTime() + SETTLES_AFTER_MS;
    if (row.status === "SUBMITTING" && services.clock.now().getTime() >= settlesAt) {
      return await askAnew(services, ids, setting);
    }
    services.log.warn(ids, "the identity check does not know an application; will retry");
  } catch (error) {
    services.log.warn({ err: error, ...ids }, "the identity check did not answer; will retry");
  }
  await postpone(services, row);
}

async function postpone(services: IdentityServices, row: LeasedRow): Promise<void> {
  await services.pool.query({
    name: "postpone_identity",
    text: `update identity_checks set due_at = $3, leased_until = null
            where organization_id = $1 and application_id = $2 and due_at is not null`,
    values: [
      row.organizationId,
      row.applicationId,
      new Date(services.clock.now().getTime() + askAgainMs(row.attempts)),
    ],
  });
}

async function askAnew(
  services: IdentityServices,
  { organizationId, applicationId }: { organizationId: string; applicationId: string },
  setting: RecordSetting,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query({
      name: "need_identity_again",
      text: `update identity_checks set status = 'NEEDED', application_id = null, subjects = '[]', problem = $3,
                due_at = null, leased_until = null
              where organization_id = $1 and application_id = $2 and status = 'SUBMITTING'`,
      values: [organizationId, applicationId, NOT_RECEIVED],
    });
    if (rowCount !== 1) return;
    await noteIdentity(client, services, organizationId, "NOT_RECEIVED", setting, services.clock.now());
  });
  services.wake(SEND_MESSAGES);
}
