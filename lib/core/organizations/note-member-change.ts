import { ROLE_WORD } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import { tellOfMemberChange } from "@/lib/core/organizations/tell-of-member-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import type { Queryable } from "@/lib/db/transaction";

/** Writes down who changed or removed a member, and has the owners and the member told; in the transaction of it. */
export async function noteMemberChange(
  client: Queryable,
  context: Context<MemberActor>,
  { userId, before, after }: { userId: string; before: MemberRole; after: MemberRole | null },
): Promise<void> {
  const { rows } = await client.query<{ id: string; name: string; email: string }>(
    "select id, name, email from users where id = $1",
    [userId],
  );
  const member = rows[0];
  if (!member) throw new Error("A member who was changed was not found.");
  await recordChange(client, context, {
    kind: after === null ? "MEMBER_REMOVED" : "MEMBER_ROLE",
    subject: member.name,
    before: ROLE_WORD[before],
    after: after === null ? null : ROLE_WORD[after],
  });
  await tellOfMemberChange(client, context, { member, before, after });
}
