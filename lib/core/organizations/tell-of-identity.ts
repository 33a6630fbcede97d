import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { renderIdentityTold, type ToldIdentity } from "@/lib/words/messages/identity-told";

const MAXIMUM_TOLD = 200;

interface OwnerRow {
  id: string;
  email: string;
  organization_name: string;
  time_zone: string;
  business_now: Date;
}

/**
 * Queues an email to every owner and co-owner: the check has said something that they wait for.
 * @param now real time
 */
export async function tellOfIdentity(
  client: Queryable,
  { appUrl }: Pick<Services, "appUrl">,
  organizationId: string,
  outcome: ToldIdentity["outcome"],
  { isSandboxBank }: { isSandboxBank: boolean },
  now: Date,
): Promise<void> {
  const { rows } = await client.query<OwnerRow>({
    name: "read_owners_of_identity",
    text: `select u.id, u.email, o.name as organization_name, o.time_zone,
              $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as business_now
             from organizations o
             join memberships m on m.organization_id = o.id and m.role in ('OWNER', 'CO_OWNER')
             join users u on u.id = m.user_id
            where o.id = $1 order by u.id limit ${MAXIMUM_TOLD}`,
    values: [organizationId, now],
  });
  for (const owner of rows) {
    const { subject, text, html } = renderIdentityTold(
      { outcome, identityUrl: `${appUrl}/welcome/${outcome === "APPROVED" ? "pods" : "identity"}` },
      { organizationName: owner.organization_name, timeZone: owner.time_zone, isSandboxBank },
    );
    await client.query({
      name: "queue_identity_told",
      text: `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html,
               status, created_at, due_at)
             values ($1, $2, 'IDENTITY_CHECK', 'EMAIL', $3, $4, $5, $6, $7, 'QUEUED', $8, '-infinity')`,
      values: [
        organizationId,
        newId(owner.business_now),
        owner.id,
        owner.email,
        subject,
        text,
        html,
        owner.business_now,
      ],
    });
  }
}
