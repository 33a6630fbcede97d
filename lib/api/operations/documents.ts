import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES } from "@/lib/api/operations/examples";
import { ADDS_ONCE, operation, READS_STRANGERS } from "@/lib/api/operations/operation";
import {
  type Document,
  documentContentSchema,
  documentNameSchema,
  documentSchema,
  documentsSchema,
} from "@/lib/contract/approvals/document";
import { MAXIMUM_DOCUMENT_BODY_BYTES } from "@/lib/contract/limits";
import { addOwnDocument } from "@/lib/core/approvals/documents/add-document";
import { getDocument, listDocuments } from "@/lib/core/approvals/documents/read-document";

const EXAMPLE_DOCUMENT: Document = {
  id: EXAMPLE_IDS.document,
  transferId: EXAMPLE_IDS.transfer,
  name: "RP-2211.pdf",
  mediaType: "application/pdf",
  sizeInBytes: 188_416,
  sha256: "9f2c61d0b7a3485c9e1f7d02b6458ac3177be09d542f8c6ea1930b5de04871ab",
  addedByName: "claude-bookkeeping",
  createdAt: EXAMPLE_TIMES.asked,
};

/** The first bytes of a PDF. */
const EXAMPLE_CONTENT = "JVBERi0xLjcK";

const ofTransfer = z.guid().describe("The transfer.");

export const documentOperations = [
  operation({
    operationId: "addTransferDocument",
    tag: "Transfers",
    method: "POST",
    path: "/transfers/:id/documents",
    summary: "Add a document to a proposal",
    description:
      "Attaches an invoice or the like to a transfer that the key requested itself and that waits for approval: a PDF, JPEG or PNG of at most 5 MB, three at most. The approver sees it beside the reason, as unchecked, and its hash is part of what they approve. It is kept with the transfer and can be neither removed nor replaced; the same content again answers the document that is there. Its type is what its bytes show, and the name must end accordingly.",
    tool: {
      useWhen: "Use when your waiting transfer has an invoice. Not to replace one.",
      hints: ADDS_ONCE,
    },
    example: {
      request: { id: EXAMPLE_IDS.transfer, name: "RP-2211.pdf", contentBase64: EXAMPLE_CONTENT },
      answer: EXAMPLE_DOCUMENT,
    },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "TRANSFER_NOT_FOUND" },
    maximumBodyBytes: MAXIMUM_DOCUMENT_BODY_BYTES,
    input: z.strictObject({
      id: ofTransfer,
      name: documentNameSchema.describe("The file's name, with its ending."),
      contentBase64: z
        .string()
        .max(MAXIMUM_DOCUMENT_BODY_BYTES, "must be a document of at most 5 MB")
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, "must be Base64, without line breaks")
        .describe("The file's bytes in Base64."),
    }),
    listFields: [],
    output: documentSchema,
    successes: [{ status: 201, when: "Added, now or before." }],
    errors: ["INVALID_DOCUMENT", "TRANSFER_NOT_FOUND", "TRANSFER_NOT_WAITING", "TOO_MANY_DOCUMENTS"],
    // By its content: the same one is added once.
    isIdempotent: false,
    run: async ({ services, context, sent }, { id, name, contentBase64 }) =>
      addOwnDocument(services, context, {
        transferId: id,
        document: { name, content: Buffer.from(contentBase64, "base64") },
        sent,
      }),
  }),
  operation({
    operationId: "listTransferDocuments",
    tag: "Transfers",
    method: "GET",
    path: "/transfers/:id/documents",
    summary: "List a transfer's documents",
    description:
      "What was attached to a transfer while it waited, in the order in which it was added, without the content. For keys that may read the transfer.",
    tool: {
      useWhen: "Use when asked which documents a transfer has. Not for the content (getTransferDocument).",
      hints: READS_STRANGERS,
    },
    isHttpOnly: true,
    example: { request: { id: EXAMPLE_IDS.transfer }, answer: { items: [EXAMPLE_DOCUMENT] } },
    permission: "READ_TRANSFERS",
    ownPermission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "TRANSFER_NOT_FOUND" },
    input: z.strictObject({ id: ofTransfer }),
    listFields: [],
    output: documentsSchema,
    successes: [{ status: 200, when: "The documents." }],
    errors: ["TRANSFER_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, { id }) => ({
      kind: "DATA",
      data: await listDocuments(services, context, id),
    }),
  }),
  operation({
    operationId: "getTransferDocument",
    tag: "Transfers",
    method: "GET",
    path: "/transfers/:id/documents/:documentId",
    summary: "Read one document",
    description:
      "One document of a transfer with its content in Base64: up to 7 MB. A stranger may have written what it says. For keys that may read the transfer.",
    tool: {
      useWhen: "Use when you need a document's bytes. Not to list them (listTransferDocuments).",
      hints: READS_STRANGERS,
    },
    isHttpOnly: true,
    example: {
      request: { id: EXAMPLE_IDS.transfer, documentId: EXAMPLE_IDS.document },
      answer: { ...EXAMPLE_DOCUMENT, contentBase64: EXAMPLE_CONTENT },
    },
    permission: "READ_TRANSFERS",
    ownPermission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: {
      schema: z.object({ id: z.guid().toLowerCase(), documentId: z.guid().toLowerCase() }),
      notFound: { id: "TRANSFER_NOT_FOUND", documentId: "DOCUMENT_NOT_FOUND" },
    },
    input: z.strictObject({ id: ofTransfer, documentId: z.guid().describe("The document.") }),
    listFields: [],
    output: documentContentSchema,
    successes: [{ status: 200, when: "The document." }],
    errors: ["TRANSFER_NOT_FOUND", "DOCUMENT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, { id, documentId }) => ({
      kind: "DATA",
      data: await getDocument(services, context, { transferId: id, documentId }),
    }),
  }),
];
