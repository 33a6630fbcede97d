import { z } from "zod";
import { assistantsHref, powerOfRole } from "@/lib/core/keys/assistant-facts";
import { type NoticeHandler, settingOf, subjectsOf } from "@/lib/core/notifications/notice-handler";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import type { Queryable } from "@/lib/db/transaction";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { renderAssistantConnected } from "@/lib/words/messages/key-messages";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const KIND = "ASSISTANT_CONNECTED";

/** Assistants that members connected, in a digest per member. */
export const assistantConnectedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, ids } = subjectsOf([notice]);
    const [row] = await readConnected(context.client, organizationId, ids);
    if (!row) return null;
    const rendered = renderAssistantConnected(
      {
        name: row.name,
        host: row.clientHost,
        connectedBy: row.connectedBy,
        connectedAt: row.createdAt,
        power: powerOfRole(row.role),
        assistantsUrl: `${context.appUrl}${assistantsHref()}`,
      },
      settingOf(context, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const rows = await readConnected(context.client, organizationId, ids);
    const [row] = rows;
    if (!first || !row) return null;
    const digest = {
      count: rows.length,
      subject: `${isolatedName(row.connectedBy)} connected ${rows.length} more assistants`,
      sentence: "If you don't recognize them, disconnect them.",
      lines: rows
        .slice(0, MAX_LISTED_LINES)
        .map(({ name, clientHost }) => `${isolatedName(name)}, at ${isolatedName(clientHost)}`),
      action: { label: "See the assistants", url: `${context.appUrl}${assistantsHref()}` },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${rows.length} more assistants were connected. If you don't recognize them, disconnect them.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

const rowSchema = z.object({
  name: z.string(),
  clientHost: z.string(),
  connectedBy: z.string(),
  createdAt: z.date(),
  role: memberRoleSchema.nullable(),
});

async function readConnected(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<z.infer<typeof rowSchema>[]> {
  const { rows } = await client.query({
    name: "read_connected_assistants",
    text: `
      select k.name, k.client_host as "clientHost", u.name as "connectedBy", k.created_at as "createdAt", m.role
        from api_keys k
        join users u on u.id = k.created_by
        left join memberships m on m.organization_id = $1 and m.user_id = k.created_by
       where k.organization_id = $1 and k.id = any ($2) and k.client_id is not null
       order by k.id`,
    values: [organizationId, ids],
  });
  return rows.map((row) => rowSchema.parse(row));
}
