import type { ConfirmationMethod } from "@/lib/contract/approvals/approval";
import type { Mandate } from "@/lib/core/mandates/read-mandates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

const MAXIMUM_STEPS = 50;

interface StepRow {
  kind: "NARROWED" | "CHANGED" | "SIGNED";
  at: Date;
  byId: string;
  byName: string;
  method: ConfirmationMethod | null;
}

/** What happened with a mandate, oldest first: what members did, each from where it is recorded, and its last use. */
export async function readMandateHistory(
  database: Queryable,
  { organizationId, actor }: Pick<Context<MemberActor>, "organizationId" | "actor">,
  { id, createdAt, proposedBy, endedAt, endedByName, endReason, state }: Mandate,
) {
  const [{ rows: steps }, { rows: last }] = await Promise.all([
    database.query<StepRow>({
      name: "read_mandate_history",
      text: `
        (select c.value_after as kind, c.changed_at as at, u.id as "byId", u.name as "byName", null as method
           from organization_changes c join users u on u.id = c.changed_by
          where c.organization_id = $1 and c.kind = 'MANDATE' and c.subject = $2 and c.value_after in ('NARROWED', 'CHANGED')
          order by c.id limit ${MAXIMUM_STEPS})
        union all
        (select 'SIGNED', s.signed_at, u.id, u.name, s.method from signatures s join users u on u.id = s.user_id
          where s.organization_id = $1 and s.subject_kind = 'MANDATE' and s.subject_id = $2
          order by s.id limit ${MAXIMUM_STEPS})
        order by at`,
      values: [organizationId, id],
    }),
    database.query<{ at: Date }>({
      name: "read_last_use_of_mandate",
      text: `select accepted_at as at from transfers
              where organization_id = $1 and mandate_id = $2 and status in ('PROCESSING', 'COMPLETE', 'RETURNED')
              order by accepted_at desc limit 1`,
      values: [organizationId, id],
    }),
  ]);
  return {
    asked: {
      at: createdAt.toISOString(),
      byKind: proposedBy.kind,
      byName: proposedBy.name,
      byViewer: proposedBy.id === actor.id,
    },
    steps: steps.map(({ at, byId, ...step }) => ({
      ...step,
      at: at.toISOString(),
      byViewer: byId === actor.id,
    })),
    lastUsedAt: last[0]?.at.toISOString() ?? null,
    ended:
      endedAt && (state === "ENDED" || state === "DENIED")
        ? { at: endedAt.toISOString(), state, byName: endedByName, reason: endReason }
        : null,
  };
}
