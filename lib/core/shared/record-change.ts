import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** As the columns bound them. */
const LONGEST_SUBJECT = 300;
const LONGEST_VALUE = 200;

/** Writes down what a member changed, in the transaction of the change: what is in force has always somebody to ask. */
export async function recordChange(
  client: Queryable,
  { organizationId, actor, now }: Pick<Context<MemberActor>, "organizationId" | "actor" | "now">,
  change: {
    kind: OrganizationChangeKind;
    subject: string | null;
    before: string | null;
    after: string | null;
  },
): Promise<void> {
  await client.query(
    `insert into organization_changes (organization_id, id, kind, subject, value_before, value_after, changed_by, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      organizationId,
      newId(now),
      change.kind,
      clip(change.subject, LONGEST_SUBJECT),
      clip(change.before, LONGEST_VALUE),
      clip(change.after, LONGEST_VALUE),
      actor.id,
      now,
    ],
  );
}

/** An address may be longer. */
function clip(text: string | null, longest: number): string | null {
  const letters = Array.from(text ?? "");
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : text;
}
