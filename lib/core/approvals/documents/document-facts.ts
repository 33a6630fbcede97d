import type { DocumentMediaType } from "@/lib/contract/input/document-types";
import type { Queryable } from "@/lib/db/transaction";

/** A document as its approver sees it, without its content. */
export interface DocumentFacts {
  id: string;
  name: string;
  mediaType: DocumentMediaType;
  sizeInBytes: number;
  sha256: string;
  addedByName: string;
  /** ISO 8601, business time. */
  addedAt: string;
  /** Another transfer with the same content, the latest; null: none. */
  alsoOnTransferId: string | null;
}

/** All of `d transfer_documents` that a condition finds, in the order in which they were added, as JSON. */
const documentsWhere = (condition: string) => `
  (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'mediaType', d.media_type,
      'sizeInBytes', d.size_bytes, 'sha256', encode(d.sha256, 'hex'), 'addedByName', d.added_by_name,
      'addedAt', to_char(d.added_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'alsoOnTransferId', (select other.transfer_id from transfer_documents other
         where other.organization_id = $1 and other.sha256 = d.sha256 and other.transfer_id is not null
           and other.transfer_id is distinct from d.transfer_id
         order by other.id desc limit 1)) order by d.id), '[]')
     from transfer_documents d where d.organization_id = $1 and ${condition})`;

/** Of a transfer, for queries whose `$1` is the organization. @param transferId expression of its id */
export const documentsOf = (transferId: string) => documentsWhere(`d.transfer_id = ${transferId}`);

/** Those of a transfer. */
export async function readDocuments(
  database: Queryable,
  organizationId: string,
  transferId: string,
): Promise<DocumentFacts[]> {
  const { rows } = await database.query<{ documents: DocumentFacts[] }>({
    name: "read_documents",
    text: `select ${documentsOf("$2")} as documents`,
    values: [organizationId, transferId],
  });
  return rows[0]?.documents ?? [];
}

/** Those of a member's own draft. */
export async function readDraftDocuments(
  database: Queryable,
  organizationId: string,
  draftId: string,
  userId: string,
): Promise<DocumentFacts[]> {
  const { rows } = await database.query<{ documents: DocumentFacts[] }>({
    name: "read_draft_documents",
    text: `select ${documentsWhere(
      "d.draft_id = $2 and d.added_by_kind = 'MEMBER' and d.added_by_id = $3",
    )} as documents`,
    values: [organizationId, draftId, userId],
  });
  return rows[0]?.documents ?? [];
}

/** `RP-2211.pdf 9f2c…; Photo.png 01ab…` by transfer, for files: the name and SHA-256 of each document. */
export async function readDocumentNames(
  database: Queryable,
  organizationId: string,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ transferId: string; names: string }>({
    name: "read_document_names",
    text: `
      select transfer_id as "transferId", string_agg(name || ' ' || encode(sha256, 'hex'), '; ' order by id) as names
        from transfer_documents where organization_id = $1 and transfer_id = any ($2::uuid[]) group by transfer_id`,
    values: [organizationId, transferIds],
  });
  return new Map(rows.map(({ transferId, names }) => [transferId, names]));
}
