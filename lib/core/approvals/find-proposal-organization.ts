import type { MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** The organization of a proposal, if the member belongs to it; otherwise null. */
export async function findProposalOrganization(
  services: Pick<Services, "pool">,
  actor: Pick<MemberActor, "id">,
  proposalId: string,
): Promise<string | null> {
  const { rows } = await services.pool.query<{ organization_id: string }>({
    name: "find_proposal_organization",
    text: `
      select p.organization_id from memberships m
        join proposals p on p.organization_id = m.organization_id and p.id = $2
       where m.user_id = $1 limit 1`,
    values: [actor.id, proposalId],
  });
  return rows[0]?.organization_id ?? null;
}
