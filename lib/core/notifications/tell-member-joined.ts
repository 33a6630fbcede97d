import { ROLE_WORD } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import { settingOf, subjectsOf, type Teller } from "@/lib/core/notifications/telling";
import type { Queryable } from "@/lib/db/transaction";
import { renderMemberJoined } from "@/lib/words/messages/member-joined";
import { MAX_LISTED_LINES, renderToldTogether } from "@/lib/words/messages/told-together";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const KIND = "MEMBER_JOINED";
const MEMBERS_HREF = "/settings/members";

interface JoinedRow {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  invited_by: string | null;
}

/** People who accepted an invitation; those of an organization together. Whoever is gone again is not told of. */
export const memberJoinedTeller: Teller = {
  one: async (telling, notice) => {
    const [row] = await readJoined(telling.client, notice.organizationId, [notice.subjectId]);
    if (!row) return null;
    const rendered = renderMemberJoined(
      {
        name: row.name,
        email: row.email,
        role: row.role,
        invitedBy: row.invited_by,
        membersUrl: `${telling.appUrl}${MEMBERS_HREF}`,
      },
      settingOf(telling, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: row.id, ...rendered };
  },

  together: async (telling, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const rows = await readJoined(telling.client, organizationId, ids);
    if (!first || rows.length === 0) return null;
    const told = {
      count: rows.length,
      subject: `${rows.length} more people joined`,
      sentence: "If one of them should not be there, remove them.",
      lines: rows
        .slice(0, MAX_LISTED_LINES)
        .map(({ name, role }) => `${isolatedName(name)}, ${ROLE_WORD[role].toLowerCase()}`),
      action: { label: "See the members", url: `${telling.appUrl}${MEMBERS_HREF}` },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${rows.length} more people joined your organization. Remove whoever should not be there.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderToldTogether(told, settingOf(telling, first)),
    };
  },
};

async function readJoined(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<JoinedRow[]> {
  const { rows } = await client.query<JoinedRow>({
    name: "read_joined",
    text: `
      select u.id, u.name, u.email, m.role, i.name as invited_by
        from memberships m join users u on u.id = m.user_id left join users i on i.id = m.invited_by
       where m.organization_id = $1 and m.user_id = any ($2)
       order by m.created_at, u.id`,
    values: [organizationId, ids],
  });
  return rows;
}
