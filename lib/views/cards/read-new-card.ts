import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";
import type { Reading } from "@/lib/views/reading";

/** Longer lists need a search. */
const MAXIMUM_CHOICES = 500;

interface Choice {
  id: string;
  name: string;
}

/** The pods that a card can spend from, and the members who can hold it. */
export async function readNewCard(
  { services, context: { organizationId, actor } }: Reading,
  network: Pick<CardNetworkPort, "isSandbox" | "issuesCards">,
) {
  const [pods, members, viewerHasPasskey] = await Promise.all([
    services.pool.query<Choice>({
      name: "read_card_pods",
      text: `
        select id, name from accounts
         where organization_id = $1 and type = 'POD' and deleted_at is null
         order by id limit ${MAXIMUM_CHOICES}`,
      values: [organizationId],
    }),
    services.pool.query<Choice>({
      name: "read_card_holders",
      text: `
        select u.id, u.name from memberships m join users u on u.id = m.user_id
         where m.organization_id = $1
         order by u.name, u.id limit ${MAXIMUM_CHOICES}`,
      values: [organizationId],
    }),
    hasPasskey(services.pool, actor.id),
  ]);
  return {
    /** Open pods. */
    pods: pods.rows,
    members: members.rows,
    isSandbox: network.isSandbox,
    isOffered: network.issuesCards,
    viewer: { canDecide: mayDecide(actor), hasPasskey: viewerHasPasskey },
  };
}

/** What the page for a new card needs. */
export type NewCardView = Awaited<ReturnType<typeof readNewCard>>;
