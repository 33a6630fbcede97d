import type { RemovalView } from "@/lib/contract/views/members-view";
import { keyHref } from "@/lib/core/keys/list-keys";
import { requireDone } from "@/lib/core/organizations/change-member-role";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { SESSION_IDLE_MS } from "@/lib/core/shared/session";
import type { Services } from "@/lib/platform/services";

const MAXIMUM_NAMED = 10;

interface PreviewRow {
  sessions: number;
  keys: { id: string; name: string; isAssistant: boolean }[] | null;
}

/**
 * What ends when this member goes, and what stays.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, or the member themself.
 */
export async function previewRemoval(
  services: Pick<Services, "pool" | "clock">,
  { organizationId, actor, now }: Context<MemberActor>,
  userId: string,
): Promise<RemovalView> {
  if (userId !== actor.id && !mayDecide(actor)) requireDone("MAY_NOT", "Nobody was removed.");
  const realNow = services.clock.now();
  const { rows } = await services.pool.query<PreviewRow>({
    name: "preview_removal",
    text: `
      select
        (select count(*)::int from sessions s where s.user_id = $2 and s.organization_id = $1 and s.revoked_at is null
           and s.expires_at > $3 and s.last_seen_at > $4) as sessions,
        (select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'isAssistant', k.client_id is not null)
             order by k.id)
           from api_keys k where k.organization_id = $1 and k.created_by = $2 and k.revoked_at is null
             and (k.ends_at is null or k.ends_at > $5)) as keys`,
    values: [organizationId, userId, realNow, new Date(realNow.getTime() - SESSION_IDLE_MS), now],
  });
  const made = rows[0]?.keys ?? [];
  const assistants = made.filter(({ isAssistant }) => isAssistant);
  const keys = made.filter(({ isAssistant }) => !isAssistant);
  return {
    sessionCount: rows[0]?.sessions ?? 0,
    assistantNames: assistants.slice(0, MAXIMUM_NAMED).map(({ name }) => name),
    assistantCount: assistants.length,
    keys: keys.slice(0, MAXIMUM_NAMED).map(({ id, name }) => ({ name, href: keyHref(id) })),
    keyCount: keys.length,
  };
}
