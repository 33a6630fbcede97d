import { nameText } from "@/lib/core/notifications/render/untrusted-text";
import type { Queryable } from "@/lib/platform/db/transaction";
import { newId } from "@/lib/platform/ids";

interface ResetNotice {
  name: string;
  email: string;
  owners: { organizationId: string; userId: string; email: string }[];
}

/**
 * Queues an email to every owner and co-owner: the operator has reset how a member signs in. In plain text and without
 * a link, because nothing has to be done when it was expected.
 * @param now real time
 */
export async function tellOfReset(client: Queryable, reset: ResetNotice, now: Date): Promise<void> {
  const member = `${nameText(reset.name)} (${reset.email})`;
  for (const owner of reset.owners) {
    await client.query(
      `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, status,
          created_at, due_at)
       select o.id, $2, 'MEMBER_RESET', 'EMAIL', $3, $4, $5, $6, 'QUEUED',
          $7::timestamptz + o.clock_offset_ms * interval '1 millisecond', '-infinity'
         from organizations o where o.id = $1`,
      [
        owner.organizationId,
        newId(now),
        owner.userId,
        owner.email,
        `How ${nameText(reset.name)} signs in was reset`,
        bodyText(member),
        now,
      ],
    );
  }
}

function bodyText(member: string): string {
  return [
    `The operator of this Sluice server has reset how ${member} signs in.`,
    "Their passkeys, authenticator app and recovery codes are gone, they are signed out everywhere, and they have a new password.",
    "If nobody asked for this, somebody who should not has access to the server. Tell its operator, and look at what was approved since.",
    "",
  ].join("\n\n");
}
