import { z } from "zod";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import { assistantsHref, nameOnPage, powerOfRole } from "@/lib/core/keys/assistant-facts";
import { mayDisconnect } from "@/lib/core/keys/disconnect-assistant";
import { pastOutcomes, pastOutcomesShape } from "@/lib/core/keys/key-facts";
import type { MemberActor } from "@/lib/core/shared/context";
import { readLookAlikeCallers } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import type { Queryable } from "@/lib/db/transaction";
import type { TimedReading } from "@/lib/views/reading";

/** More connections than anyone can tell apart. */
const MAXIMUM_ASSISTANTS = 500;

/**
 * State of an assistant's connection. `CLIENT`: it revoked its own access. `REUSE`: a copied token was used.
 * `EXPIRED`: it did not refresh in time.
 */
type AssistantState =
  | { kind: "CONNECTED" }
  | {
      kind: "ENDED";
      at: string;
      because: "MEMBER" | "OPERATOR" | "CLIENT" | "REUSE" | "EXPIRED";
      byName: string | null;
    };

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  connectedBy: z.string(),
  connectedByName: z.string(),
  memberRole: memberRoleSchema.nullable(),
  connectedAt: z.date(),
  lastUsedAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
  revokedBecause: z.enum(["MEMBER", "OPERATOR", "CLIENT", "REUSE", "EXPIRED"]).nullable(),
  revokedByName: z.string().nullable(),
  ...pastOutcomesShape,
});
type Row = z.infer<typeof rowSchema>;

/**
 * The organization's assistants as the list shows them to any member: connected ones first, within each group the most
 * recently used or connected first.
 */
export async function listAssistants(
  { services, context, time }: TimedReading<"pool" | "appUrl">,
  { showsEnded }: { showsEnded: boolean },
) {
  const [rows, lookAlikes] = await Promise.all([
    readRows(services.pool, context.organizationId),
    readLookAlikeCallers(services.pool, context.organizationId),
  ]);
  const all = rows.map((row) => {
    const lookAlike = lookAlikes.get(row.id) ?? null;
    return { ...toView(row, context.actor), lookAlike: lookAlike && shownAlike(lookAlike) };
  });
  return {
    assistants: all.filter(({ state }) => showsEnded || state.kind === "CONNECTED"),
    endedCount: all.filter(({ state }) => state.kind === "ENDED").length,
    showsEnded,
    toggleEndedHref: showsEnded ? assistantsHref() : `${assistantsHref()}?disconnected=show`,
    mcpUrl: mcpUrl(services.appUrl),
    viewer: { role: context.actor.role, canDecide: mayDecide(context.actor) },
    time,
  };
}

/** Names as the page shows them. */
function shownAlike({ kind, name, otherName }: LookAlike): LookAlike {
  return { kind, name: nameOnPage(name), otherName: nameOnPage(otherName) };
}

async function readRows(database: Queryable, organizationId: string): Promise<Row[]> {
  const { rows } = await database.query({
    name: "list_assistants",
    text: `
      select k.id, k.name, k.client_host as host, k.created_by as "connectedBy", connector.name as "connectedByName",
          m.role as "memberRole", k.created_at as "connectedAt", k.last_used_at as "lastUsedAt",
          k.revoked_at as "revokedAt", k.revoked_because as "revokedBecause", revoker.name as "revokedByName", outcomes.*
        from api_keys k
        join users connector on connector.id = k.created_by
        left join memberships m on m.organization_id = $1 and m.user_id = k.created_by
        left join users revoker on revoker.id = k.revoked_by
        cross join lateral (${pastOutcomes()}) outcomes
       where k.organization_id = $1 and k.client_id is not null
       order by k.revoked_at is not null, coalesce(k.last_used_at, k.created_at) desc, k.id desc
       limit ${MAXIMUM_ASSISTANTS}`,
    values: [organizationId],
  });
  return rows.map((row) => rowSchema.parse(row));
}

function toView({ connectedBy, revokedAt, revokedBecause, revokedByName, ...row }: Row, actor: MemberActor) {
  const state: AssistantState = revokedAt
    ? {
        kind: "ENDED",
        at: revokedAt.toISOString(),
        because: revokedBecause ?? "OPERATOR",
        byName: revokedByName,
      }
    : { kind: "CONNECTED" };
  return {
    ...row,
    name: nameOnPage(row.name),
    isOwn: connectedBy === actor.id,
    power: powerOfRole(row.memberRole),
    connectedAt: row.connectedAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    state,
    canDisconnect: state.kind === "CONNECTED" && mayDisconnect(actor, connectedBy),
  };
}

/** The address for MCP clients, and the resource that their tokens are issued for (RFC 8707). */
function mcpUrl(appUrl: string): string {
  return `${appUrl}/mcp`;
}

export type AssistantsView = Awaited<ReturnType<typeof listAssistants>>;
export type AssistantView = AssistantsView["assistants"][number];
