import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** The limits of the columns. */
const LONGEST_SUBJECT = 300;
const LONGEST_VALUE = 200;

/**
 * Records a member's change, in its transaction, so that every setting in force has an author.
 * @returns its id, which a notice of it names
 */
export async function recordChange(
  client: Queryable,
  {
    organizationId,
    actor,
    now,
  }: Pick<Context, "organizationId" | "now"> & { actor: Pick<MemberActor, "id"> },
  change: {
    kind: OrganizationChangeKind;
    subject: string | null;
    before: string | null;
    after: string | null;
  },
): Promise<string> {
  const id = newId(now);
  await client.query(
    `insert into organization_changes (organization_id, id, kind, subject, value_before, value_after, changed_by, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      organizationId,
      id,
      change.kind,
      clip(change.subject, LONGEST_SUBJECT),
      clip(change.before, LONGEST_VALUE),
      clip(change.after, LONGEST_VALUE),
      actor.id,
      now,
    ],
  );
  return id;
}

/** Addresses may be longer than the column. */
function clip(text: string | null, longest: number): string | null {
  const letters = Array.from(text ?? "");
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : text;
}
