import { MAXIMUM_IMPORTED_LINES } from "@/lib/contract/payee";
import { type NoticeHandler, settingOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { renderPayeesImported } from "@/lib/words/messages/payee-changed";

const KIND = "PAYEES_IMPORTED";

/** What one import added, to every owner and co-owner; `subjectId` is the import. */
export const payeesImportedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const rows = await readImported(context.client, notice.organizationId, notice.subjectId);
    const [first] = rows;
    if (!first) return null;
    const rendered = renderPayeesImported(
      {
        importedBy: first.byName,
        importedAt: first.at,
        payees: rows,
        payeesUrl: `${context.appUrl}/payees`,
      },
      settingOf(context, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },
  digest: null,
};

interface ImportedRow {
  name: string;
  accountNumberLast4: string | null;
  byName: string;
  at: Date;
}

async function readImported(
  client: Queryable,
  organizationId: string,
  importId: string,
): Promise<ImportedRow[]> {
  const { rows } = await client.query<ImportedRow>({
    name: "read_imported_payees",
    text: `select e.name, given.account_number_last4 as "accountNumberLast4", e.by_name as "byName", e.at
      from payee_events e
      left join payee_events given on given.organization_id = $1 and given.import_id = $2
        and given.payee_id = e.payee_id and given.kind = 'DETAILS_GIVEN'
     where e.organization_id = $1 and e.import_id = $2 and e.kind = 'PROPOSED' order by e.id limit $3`,
    values: [organizationId, importId, MAXIMUM_IMPORTED_LINES],
  });
  return rows;
}
