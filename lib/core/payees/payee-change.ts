import type { SignedChange } from "@/lib/core/policies/sign-change";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

interface ChangeRow {
  payeeId: string;
  isNew: boolean;
  givenById: string | null;
  proposerKind: "API_KEY" | "ASSISTANT" | "MEMBER";
  proposerId: string;
  keyCreatedById: string | null;
}

/**
 * A payee's details as what a policy may ask several people for; null: the organization has no such details. Who requested
 * them is who entered them or, through a link, who proposed the payee; neither counts where the requester does not.
 */
export async function readPayeeChange(
  database: Queryable,
  organizationId: string,
  detailsId: string,
): Promise<SignedChange | null> {
  const { rows } = await database.query<ChangeRow>({
    name: "read_payee_change",
    text: `
      select p.id as "payeeId", p.version = 0 as "isNew",
          case when d.given_by_kind = 'MEMBER' then d.given_by_id end as "givenById",
          ${callerKind("p.proposed_by_kind", "p.proposed_by_id")} as "proposerKind", p.proposed_by_id as "proposerId",
          k.created_by as "keyCreatedById"
        from payee_details d
        join payees p on p.organization_id = $1 and p.id = d.payee_id
        left join api_keys k on k.organization_id = $1 and k.id = p.proposed_by_id
       where d.organization_id = $1 and d.id = $2`,
    values: [organizationId, detailsId],
  });
  const [row] = rows;
  if (!row) return null;
  const { payeeId, isNew, givenById, proposerKind, proposerId, keyCreatedById } = row;
  const memberIds = [givenById, proposerKind === "MEMBER" ? proposerId : null, keyCreatedById];
  return {
    kind: "PAYEE",
    subjectId: detailsId,
    signed: ["PAYEE", payeeId, detailsId],
    payee: isNew ? "NEW" : "CHANGED",
    sourceAccountIds: [],
    destinationAccountIds: [payeeId],
    requester: {
      kind: givenById ? "MEMBER" : proposerKind,
      id: givenById ?? proposerId,
      memberIds: memberIds.filter((id) => id !== null),
    },
  };
}
