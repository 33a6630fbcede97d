import { z } from "zod";
import type { MemberRole } from "@/lib/contract/members";
import type {
  AssistantPower,
  AssistantStateView,
  AssistantsView,
  AssistantView,
} from "@/lib/contract/views/assistants-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { mayDisconnect } from "@/lib/core/keys/disconnect-assistant";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { visibleName } from "@/lib/words/messages/untrusted-text";

const LIST_HREF = "/settings/assistants";
/** Past proposals of an assistant that are counted; the latest of them are drawn. */
const COUNTED = 1_000;
const DRAWN = 24;
/** More connections than anyone can tell apart. */
const MAXIMUM_ASSISTANTS = 500;

export function assistantsHref(): string {
  return LIST_HREF;
}

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  client_host: z.string(),
  connected_by: z.string(),
  connected_by_name: z.string(),
  member_role: memberRoleSchema.nullable(),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
  revoked_because: z.enum(["MEMBER", "OPERATOR", "CLIENT", "REUSE", "EXPIRED"]).nullable(),
  revoked_by_name: z.string().nullable(),
  approved: z.number(),
  decided: z.number(),
  recent: z.array(z.enum(["APPROVED", "DENIED", "EXPIRED"])).nullable(),
});
type Row = z.infer<typeof rowSchema>;

/**
 * The organization's assistants as the list shows them to any member: connected ones first, within each group the most
 * recently used or connected first.
 */
export async function listAssistants(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<MemberActor>,
  { showsEnded, time }: { showsEnded: boolean; time: TimeContext },
): Promise<AssistantsView> {
  const rows = await readRows(services.pool, context.organizationId);
  const all = rows.map((row) => toView(row, context.actor));
  return {
    assistants: all.filter(({ state }) => showsEnded || state.kind === "CONNECTED"),
    endedCount: all.filter(({ state }) => state.kind === "ENDED").length,
    showsEnded,
    toggleEndedHref: showsEnded ? LIST_HREF : `${LIST_HREF}?disconnected=show`,
    mcpUrl: mcpUrl(services.appUrl),
    viewer: { role: context.actor.role, canDecide: mayDecide(context.actor) },
    time,
  };
}

async function readRows(database: Queryable, organizationId: string): Promise<Row[]> {
  const { rows } = await database.query({
    name: "list_assistants",
    text: `
      select k.id, k.name, k.client_host, k.created_by as connected_by, connector.name as connected_by_name,
          m.role as member_role, k.created_at, k.last_used_at, k.revoked_at, k.revoked_because,
          revoker.name as revoked_by_name, outcomes.approved, outcomes.decided, outcomes.recent
        from api_keys k
        join users connector on connector.id = k.created_by
        left join memberships m on m.organization_id = $1 and m.user_id = k.created_by
        left join users revoker on revoker.id = k.revoked_by
        cross join lateral (
          select (count(*) filter (where past.state = 'APPROVED'))::int as approved, count(*)::int as decided,
              json_agg(case past.state when 'REVOKED' then 'DENIED' else past.state end order by past.id)
                filter (where past.position <= ${DRAWN}) as recent
            from (
              select p.id, p.state, row_number() over (order by p.id desc) as position
                from proposals p
               where p.organization_id = $1 and p.api_key_id = k.id and p.state <> 'WAITING'
               order by p.id desc limit ${COUNTED}) past) outcomes
       where k.organization_id = $1 and k.client_id is not null
       order by k.revoked_at is not null, coalesce(k.last_used_at, k.created_at) desc, k.id desc
       limit ${MAXIMUM_ASSISTANTS}`,
    values: [organizationId],
  });
  return rows.map((row) => rowSchema.parse(row));
}

function toView(row: Row, actor: MemberActor): AssistantView {
  const state = stateOf(row);
  return {
    id: row.id,
    name: nameOnPage(row.name),
    host: row.client_host,
    connectedByName: row.connected_by_name,
    isOwn: row.connected_by === actor.id,
    memberRole: row.member_role,
    power: powerOfRole(row.member_role),
    connectedAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    approvedCount: row.approved,
    decidedCount: row.decided,
    recent: row.recent ?? [],
    state,
    canDisconnect: state.kind === "CONNECTED" && mayDisconnect(actor, row.connected_by),
  };
}

function stateOf(row: Row): AssistantStateView {
  if (!row.revoked_at) return { kind: "CONNECTED" };
  return {
    kind: "ENDED",
    at: row.revoked_at.toISOString(),
    because: row.revoked_because ?? "OPERATOR",
    byName: row.revoked_by_name,
  };
}

/** The address for MCP clients, and the resource that their tokens are issued for (RFC 8707). */
function mcpUrl(appUrl: string): string {
  return `${appUrl}/mcp`;
}

/** What an assistant may do, given its member's role; null: the member has left. See `permissionsOfRole`. */
export function powerOfRole(role: MemberRole | null): AssistantPower {
  if (role === null) return "NOTHING";
  return role === "OWNER" || role === "CO_OWNER" ? "ASKS" : "READS";
}

/**
 * A program's own name as pages show it: one line, truncated, without invisible characters (a bidirectional override
 * would reorder the surrounding text). Pages do not linkify names, so dots may stay.
 */
export function nameOnPage(name: string): string {
  return visibleName(name) || "A program without a name";
}
