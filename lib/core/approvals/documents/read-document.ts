import type { Document } from "@/lib/contract/approvals/document";
import { AppError } from "@/lib/contract/error";
import { type DocumentFacts, readDocuments } from "@/lib/core/approvals/documents/document-facts";
import { openDocument } from "@/lib/core/approvals/documents/seal-document";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

interface OfTransfer {
  transferId: string;
  documentId: string;
}

/**
 * The documents of a transfer, for a caller that may read it.
 * @throws AppError as `getTransfer`
 */
export async function listDocuments(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  transferId: string,
): Promise<{ items: Document[] }> {
  await getTransfer(services, context, transferId);
  const documents = await readDocuments(services.pool, context.organizationId, transferId);
  return { items: documents.map((facts) => toDocument(transferId, facts)) };
}

/**
 * One document with its content, for a caller that may read its transfer.
 * @throws AppError as `getTransfer`; `DOCUMENT_NOT_FOUND`
 */
export async function getDocument(
  services: Pick<Services, "pool" | "appUrl" | "documentKeys">,
  context: Context<CallerActor>,
  of: OfTransfer,
): Promise<Document & { contentBase64: string }> {
  await getTransfer(services, context, of.transferId);
  const document = await findDocument(services.pool, context, of);
  const content = await readContent(services, context, of, document);
  return { ...document, contentBase64: content.toString("base64") };
}

/**
 * One document for a member, who may read every transfer of their organization; null if it has none.
 */
export async function openMemberDocument(
  services: Pick<Services, "pool" | "documentKeys">,
  context: Context<MemberActor>,
  of: OfTransfer,
): Promise<{ document: Document; content: Buffer } | null> {
  const documents = await readDocuments(services.pool, context.organizationId, of.transferId);
  const found = documents.find(({ id }) => id === of.documentId);
  if (!found) return null;
  const document = toDocument(of.transferId, found);
  return { document, content: await readContent(services, context, of, document) };
}

/** @throws AppError `DOCUMENT_NOT_FOUND` */
export async function findDocument(
  database: Queryable,
  { organizationId }: Context,
  { transferId, documentId }: OfTransfer,
): Promise<Document> {
  const documents = await readDocuments(database, organizationId, transferId);
  const found = documents.find(({ id }) => id === documentId);
  if (!found) throw new AppError("DOCUMENT_NOT_FOUND", `This transfer has no document ${documentId}.`);
  return toDocument(transferId, found);
}

function toDocument(
  transferId: string,
  { id, name, mediaType, sizeInBytes, sha256, addedByName, addedAt }: DocumentFacts,
): Document {
  return { id, transferId, name, mediaType, sizeInBytes, sha256, addedByName, createdAt: addedAt };
}

/** @throws Error if it is not what was added */
async function readContent(
  services: Pick<Services, "pool" | "documentKeys">,
  { organizationId }: Context,
  { transferId, documentId }: OfTransfer,
  { sha256 }: Document,
): Promise<Buffer> {
  const { rows } = await services.pool.query<{ sealedKey: Buffer; pieces: Buffer[] }>({
    name: "read_document_content",
    text: `
      select d.sealed_key as "sealedKey", array(select p.content from document_pieces p
          where p.organization_id = $1 and p.document_id = d.id order by p.place) as pieces
        from transfer_documents d where d.organization_id = $1 and d.transfer_id = $2 and d.id = $3`,
    values: [organizationId, transferId, documentId],
  });
  const row = rows[0];
  if (!row) throw new Error("A document that was found has no content");
  return openDocument(services, `${organizationId}/${documentId}`, { sha256, ...row });
}
