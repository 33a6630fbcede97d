import { RESTORE_NAME } from "@/lib/core/keys/hold-after-restore";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import { settingOf, type Teller, type Telling } from "@/lib/core/notifications/telling";
import { renderGates } from "@/lib/words/messages/gates";

/**
 * Gates that were closed, or opened. Told to whoever did it as well: it may have been their browser, and not they. Never
 * together with others: each changes what everybody can do.
 */
function gatesTeller(kind: "GATES_CLOSED" | "GATES_OPENED"): Teller {
  return {
    one: (telling, notice) => tellOne(telling, notice, kind),
    together: () => Promise.reject(new Error("Closings and openings are not told together")),
  };
}

export const gatesClosedTeller = gatesTeller("GATES_CLOSED");
export const gatesOpenedTeller = gatesTeller("GATES_OPENED");

interface ClosingRow {
  closed_at: Date;
  closed_by: string | null;
  opened_at: Date | null;
  opened_by: string | null;
}

async function tellOne(
  telling: Telling,
  notice: DueNotice,
  kind: "GATES_CLOSED" | "GATES_OPENED",
): Promise<OutgoingNotice | null> {
  const { rows } = await telling.client.query<ClosingRow>({
    name: "read_closing_to_tell",
    text: `
      select g.closed_at, c.name as closed_by, g.opened_at, o.name as opened_by
        from gate_closings g left join users c on c.id = g.closed_by left join users o on o.id = g.opened_by
       where g.organization_id = $1 and g.id = $2`,
    values: [notice.organizationId, notice.subjectId],
  });
  const row = rows[0];
  if (!row) return null;
  const gatesUrl = `${telling.appUrl}/gates`;
  const setting = settingOf(telling, notice);
  const rendered =
    kind === "GATES_CLOSED"
      ? renderGates(
          { act: "CLOSED", by: row.closed_by ?? RESTORE_NAME, at: row.closed_at, gatesUrl },
          setting,
        )
      : row.opened_at &&
        row.opened_by &&
        renderGates({ act: "OPENED", by: row.opened_by, at: row.opened_at, gatesUrl }, setting);
  return rendered ? { kind, proposalIds: [], exceptUserId: null, ...rendered } : null;
}
