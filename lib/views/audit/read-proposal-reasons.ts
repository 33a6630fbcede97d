import type { Queryable } from "@/lib/db/transaction";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";
import type { AuditRowView } from "@/lib/views/audit/read-sealed-entries";

/** The last id of a path: the transfer, run or proposal that a request is about. */
const SUBJECT =
  /\/(?:transfers|transfer-batches|proposals|executions)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?]|$)/i;
/** Requests that propose. */
const PROPOSES = /\/(?:transfers|transfers\/batch|rules\/[^/]+\/trigger)$/;

type Asked = Pick<AuditRowView, "id" | "at" | "callerId" | "method" | "path" | "outcome">;

/**
 * The reasons of the proposals that these requests made or are about, by the id of the request. The log does not record what a
 * request made: it and its proposal have the same caller and moment, and two of one moment with different reasons have none here.
 */
export async function readProposalReasons(
  database: Queryable,
  organizationId: string,
  entries: readonly Asked[],
): Promise<ReadonlyMap<string, string>> {
  const asked = entries.flatMap((entry) => {
    const path = entry.path.split("?")[0] ?? "";
    const subjectId = SUBJECT.exec(path)?.[1] ?? null;
    const proposes = entry.method === "POST" && entry.outcome === "SUCCESS" && PROPOSES.test(path);
    if (subjectId === null && !proposes) return [];
    const at = new Date(entry.at);
    return [
      {
        entryId: entry.id,
        callerId: subjectId === null ? entry.callerId : null,
        fromId: subjectId ?? firstIdAt(at),
        toId: subjectId ?? lastIdAt(at),
        // The lines of a batch have reasons of their own.
        isBatch: path.endsWith("/batch"),
      },
    ];
  });
  if (asked.length === 0) return new Map();
  const { rows } = await database.query<{ entryId: string; reason: string }>({
    name: "read_proposal_reasons",
    text: `
      select a."entryId", min(found.reason) as reason
        from jsonb_to_recordset($2) as a("entryId" uuid, "callerId" uuid, "fromId" uuid, "toId" uuid,
            "isBatch" boolean)
        cross join lateral (
          select t.reason_for_approval as reason from transfers t
           where t.organization_id = $1 and not a."isBatch" and t.id between a."fromId" and a."toId"
             and (a."callerId" is null or t.proposed_by_id = a."callerId")
          union
          select e.reason_for_approval from rule_executions e
           where e.organization_id = $1 and e.id between a."fromId" and a."toId"
             and (a."callerId" is null or e.started_by_id = a."callerId")
          union
          select b.reason_for_approval from transfer_batches b
           where b.organization_id = $1 and b.id between a."fromId" and a."toId"
             and (a."callerId" is null or b.proposed_by_id = a."callerId")) found
       where found.reason <> ''
       group by a."entryId" having count(*) = 1`,
    values: [organizationId, JSON.stringify(asked)],
  });
  return new Map(rows.map(({ entryId, reason }) => [entryId, reason]));
}
