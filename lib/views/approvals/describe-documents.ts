import { formatShown, withShownField } from "@/lib/contract/shown";
import type { DocumentFacts } from "@/lib/core/approvals/documents/document-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";

/** A transfer's documents for a member's page, each with the address of its content. */
export function describeDocuments(
  documents: readonly DocumentFacts[],
  { organizationId, actor }: Context<MemberActor>,
  transferId: string,
) {
  const shown = formatShown({ userId: actor.id, organizationId, proposalId: transferId });
  return documents.map(({ alsoOnTransferId: _alsoOnTransferId, ...facts }) => ({
    ...facts,
    isPicture: facts.mediaType !== "application/pdf",
    href: withShownField(`/documents/${transferId}/${facts.id}`, shown),
  }));
}

export type DocumentView = ReturnType<typeof describeDocuments>[number];
