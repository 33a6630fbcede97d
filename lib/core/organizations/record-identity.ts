import {
  type IdentityRow,
  type KeptSubject,
  subjectsSchema,
  withSaid,
} from "@/lib/core/organizations/identity-record";
import { tellOfIdentity } from "@/lib/core/organizations/tell-of-identity";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { IdentityState } from "@/lib/ports/identity/identity-port";

/** Real time between questions while it is checked: soon at first, for a member may be looking. */
const ASK_AGAIN_MS = [2_000, 4_000, 10_000, 60_000, 300_000, 1_800_000];
const SLOWEST_MS = 1_800_000;

export function askAgainMs(attempts: number): number {
  return ASK_AGAIN_MS[attempts] ?? SLOWEST_MS;
}

export interface RecordSetting {
  isSandboxBank: boolean;
}

/**
 * Records what the service says of an application, once: of the same news from several processes one tells the owners.
 * What it says of an application that is not the organization's current one, or after a final word, counts for nothing.
 */
export async function recordIdentity(
  services: Pick<Services, "pool" | "clock" | "wake" | "appUrl">,
  { organizationId, applicationId }: { organizationId: string; applicationId: string },
  state: IdentityState,
  setting: RecordSetting,
): Promise<void> {
  const now = services.clock.now();
  const isTold = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<IdentityRow & { attempts: number }>({
      name: "lock_identity_to_record",
      text: `select organization_id, application_id, status, subjects, attempts from identity_checks
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
    await tellOfIdentity(client, services, organizationId, state.state, setting, now);
    return true;
  });
  if (isTold) services.wake(SEND_MESSAGES);
}
