import { type Document, documentNameSchema } from "@/lib/contract/approvals/document";
import { AppError } from "@/lib/contract/error";
import { DOCUMENT_ENDINGS, type DocumentMediaType } from "@/lib/contract/input/document-types";
import { MAXIMUM_DOCUMENT_BYTES, MAXIMUM_DOCUMENTS, MAXIMUM_DOCUMENTS_A_DAY } from "@/lib/contract/limits";
import { findDocument } from "@/lib/core/approvals/documents/read-document";
import { sealDocument } from "@/lib/core/approvals/documents/seal-document";
import type { Actor, CallerActor, Context, MemberActor, SentRequest } from "@/lib/core/shared/context";
import { wholeTypeOf } from "@/lib/core/shared/document-type";
import { requirePermission } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A file as it arrived. */
export interface GivenDocument {
  name: string;
  content: Buffer;
}

type AddingServices = Pick<Services, "pool" | "clock" | "documentKeys">;

/** What `add_document` and `add_draft_document` answer. */
type Outcome = "ADDED" | "SAME" | "MISSING" | "OTHERS" | "NOT_WAITING" | "TOO_MANY" | "TOO_OFTEN";

/** How long an unconfirmed draft keeps its documents, in real time. */
const DRAFT_MS = 86_400_000;

/**
 * Attaches a document to a transfer that the caller requested itself, while it waits (docs/behavior/approvals.md). The same
 * content again answers the document that is there.
 * @throws AppError `INVALID_PARAMETERS` for a name that is none, `INVALID_DOCUMENT`, `PAYLOAD_TOO_LARGE`,
 * `TRANSFER_NOT_FOUND`, `ACCESS_DENIED` for another's, `TRANSFER_NOT_WAITING`, `TOO_MANY_DOCUMENTS`, `RATE_LIMIT_EXCEEDED`
 */
export async function addOwnDocument(
  services: AddingServices,
  context: Context<CallerActor>,
  {
    transferId,
    document,
    sent,
  }: {
    transferId: string;
    document: GivenDocument;
    sent: SentRequest;
  },
): Promise<WriteResult> {
  requirePermission(context.actor, "MANUAL_TRANSFER");
  const sealed = seal(services, context, document);
  const request = { sent, auditAction: null, status: 201, idempotency: null };
  return writeOnce(services, context, request, async (client): Promise<Document> => {
    const place = { transferId, keyId: context.actor.id };
    const { outcome, id } = await add(client, "add_document", { context, place, sealed });
    requireAdded(outcome);
    return findDocument(client, context, { transferId, documentId: id });
  });
}

/**
 * Attaches a document to any transfer of the organization that waits, for a member who may decide.
 * @throws AppError as `addOwnDocument`, also for content that is there already; `ACCESS_DENIED` unless an owner or co-owner asks
 */
export async function addMemberDocument(
  services: AddingServices,
  context: Context<MemberActor>,
  { transferId, document }: { transferId: string; document: GivenDocument },
): Promise<void> {
  const sealed = seal(services, context, document);
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "add a document");
    requireNew((await add(client, "add_document", { context, place: { transferId }, sealed })).outcome);
  });
}

/**
 * Keeps a document for money that the member is about to move.
 * @throws AppError as `addMemberDocument`
 */
export async function addDraftDocument(
  services: AddingServices,
  context: Context<MemberActor>,
  { draftId, document }: { draftId: string; document: GivenDocument },
): Promise<void> {
  const sealed = seal(services, context, document);
  const expiresAt = new Date(services.clock.now().getTime() + DRAFT_MS);
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "move money");
    const place = { draftId, expiresAt };
    requireNew((await add(client, "add_draft_document", { context, place, sealed })).outcome);
  });
}

/** Takes back a document of the member's own draft; once the money moved it stays. */
export async function removeDraftDocument(
  { pool }: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
  { draftId, documentId }: { draftId: string; documentId: string },
): Promise<void> {
  await pool.query({
    name: "remove_draft_document",
    text: "select remove_draft_document($1, $2, $3, $4)",
    values: [organizationId, draftId, documentId, actor.id],
  });
}

/** The document with its encrypted key and pieces. Before the transaction: it takes time. */
function seal(services: AddingServices, context: Context, given: GivenDocument) {
  const { name, mediaType } = checkDocument(given);
  const { organizationId, actor, now } = context;
  const id = newId(now);
  const { sha256, sealedKey, pieces } = sealDocument(services, `${organizationId}/${id}`, given.content);
  const sizeInBytes = given.content.length;
  const document = { id, name, mediaType, sizeInBytes, sha256, addedBy: adderOf(actor) };
  return { document, sealedKey, pieces };
}

/** Assistants are stored as keys, like elsewhere. */
function adderOf({ kind, id, name }: Actor) {
  return { kind: kind === "MEMBER" ? kind : "API_KEY", id, name };
}

/** @throws AppError */
function checkDocument({ name, content }: GivenDocument): { name: string; mediaType: DocumentMediaType } {
  const named = documentNameSchema.safeParse(name);
  if (!named.success) throw wrongName(named.error.issues[0]?.message ?? "is not valid");
  if (content.length > MAXIMUM_DOCUMENT_BYTES) {
    throw new AppError("PAYLOAD_TOO_LARGE", "The document is larger than 5 MB. Nothing was added.");
  }
  const mediaType = wholeTypeOf(content);
  if (mediaType === null) {
    throw new AppError(
      "INVALID_DOCUMENT",
      "By its bytes, the document is not a whole PDF, JPEG or PNG, or has something behind its end. Nothing was added.",
    );
  }
  const endings = DOCUMENT_ENDINGS[mediaType];
  // Browsers and systems open a file by its ending.
  if (!endings.some((ending) => named.data.toLowerCase().endsWith(ending)))
    throw wrongName(`must end in ${endings.join(" or ")}, as its content does`);
  return { name: named.data, mediaType };
}

function wrongName(message: string): AppError {
  return new AppError("INVALID_PARAMETERS", `The document's name ${message}. Nothing was added.`, [
    { field: "name", message },
  ]);
}

async function add(
  client: Queryable,
  name: "add_document" | "add_draft_document",
  {
    context: { organizationId, now },
    place,
    sealed: { document, sealedKey, pieces },
  }: {
    context: Context;
    /** What it is attached to, beside the document's own facts in one record. */
    place: { transferId: string; keyId?: string } | { draftId: string; expiresAt: Date };
    sealed: ReturnType<typeof seal>;
  },
): Promise<{ outcome: Outcome; id: string }> {
  const { rows } = await client.query<{ outcome: Outcome; id: string }>({
    name,
    text: `select outcome, id from ${name}($1, $2, $3, $4, $5)`,
    values: [organizationId, JSON.stringify({ ...document, ...place }), sealedKey, pieces, now],
  });
  if (!rows[0]) throw new Error(`${name} answered nothing`);
  return rows[0];
}

/**
 * The page of a member would not change after the same content, so it says why. A program repeats a call whose answer was lost.
 * @throws AppError
 */
function requireNew(outcome: Outcome): void {
  requireAdded(outcome);
  if (outcome === "SAME")
    throw new AppError("INVALID_DOCUMENT", "This file is attached already. Nothing was added.");
}

/** @throws AppError */
function requireAdded(outcome: Outcome): void {
  switch (outcome) {
    case "ADDED":
    case "SAME":
      return;
    case "MISSING":
      throw new AppError("TRANSFER_NOT_FOUND", "There is no such transfer.");
    case "OTHERS":
      throw new AppError(
        "ACCESS_DENIED",
        "This key did not request this transfer. A program adds documents only to what it requested itself.",
      );
    case "NOT_WAITING":
      throw new AppError(
        "TRANSFER_NOT_WAITING",
        "This transfer does not wait for approval, so nothing can be added to it anymore.",
      );
    case "TOO_MANY":
      throw new AppError(
        "TOO_MANY_DOCUMENTS",
        `There are ${MAXIMUM_DOCUMENTS} documents already, and none can be replaced. Nothing was added.`,
      );
    case "TOO_OFTEN":
      throw new AppError(
        "RATE_LIMIT_EXCEEDED",
        `At most ${MAXIMUM_DOCUMENTS_A_DAY} documents can be added within 24 hours. Nothing was added.`,
      );
  }
}
