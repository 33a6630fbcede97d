import { AppError } from "@/lib/contract/error";
import { DOCUMENT_MEDIA_TYPES, MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/identity";
import { type IdentityRow, subjectsSchema } from "@/lib/core/organizations/identity-record";
import { type RecordSetting, recordIdentity } from "@/lib/core/organizations/record-identity";
import type { IdentityServices } from "@/lib/core/organizations/submit-identity";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { byOrganizationUploading, takeAttempt } from "@/lib/core/shared/throttle";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { type IdentityPort, IdentityUnavailable } from "@/lib/ports/identity/identity-port";

type MediaType = (typeof DOCUMENT_MEDIA_TYPES)[number];

/** The first bytes of each kind: what a browser calls a file is only its name's ending. */
const BEGINNINGS: Readonly<Record<MediaType, readonly number[]>> = {
  "image/jpeg": [0xff, 0xd8, 0xff],
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "application/pdf": [0x25, 0x50, 0x44, 0x46, 0x2d],
};

/**
 * Hands a document to the identity check that it asked for. It goes through this process's memory and is not kept.
 * @param input.content 1 byte to MAXIMUM_DOCUMENT_BYTES, a JPEG, PNG or PDF by its own first bytes
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for what is no such file, and
 * where none is asked for; `RATE_LIMIT_EXCEEDED`.
 */
export async function addIdentityDocument(
  services: IdentityServices,
  identity: IdentityPort,
  context: Context<MemberActor>,
  input: { subjectIndex: number; content: Uint8Array },
  setting: RecordSetting,
): Promise<void> {
  const mediaType = mediaTypeOf(input.content);
  const applicationId = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "add a document");
    const { rows } = await client.query<IdentityRow>({
      name: "read_identity_of_document",
      text: `select organization_id, application_id, status, subjects from identity_checks
              where organization_id = $1 and status = 'NEEDS_DOCUMENT'`,
      values: [context.organizationId],
    });
    const row = rows[0];
    const subject = row && subjectsSchema.parse(row.subjects)[input.subjectIndex];
    if (subject?.said.state !== "NEEDS_DOCUMENT")
      throw refused("No document is asked for. Load this page again.");
    return row?.application_id ?? "";
  });
  const attempt = await takeAttempt(services, [byOrganizationUploading(context.organizationId)]);
  if (attempt.kind === "THROTTLED") {
    const minutes = Math.ceil(attempt.retryAfterSeconds / 60);
    throw new AppError("RATE_LIMIT_EXCEEDED", `Too many files were sent. Try again in ${minutes} min.`);
  }
  const ids = { organizationId: context.organizationId, applicationId };
  const document = {
    ...ids,
    subjectIndex: input.subjectIndex,
    documentId: newId(services.clock.now()),
    mediaType,
    content: input.content,
  };
  const state = await handOver(identity, document, context.now);
  if (!state) throw refused("The identity check does not know of it any more. Load this page again.");
  await recordIdentity(services, ids, state, setting);
}

async function handOver(
  identity: IdentityPort,
  document: Parameters<IdentityPort["addDocument"]>[0],
  businessNow: Date,
) {
  try {
    return await identity.addDocument(document, { businessNow });
  } catch (error) {
    if (!(error instanceof IdentityUnavailable)) throw error;
    throw refused(
      "The identity check did not answer, so we do not know whether the file arrived. Send it again.",
    );
  }
}

function mediaTypeOf(content: Uint8Array): MediaType {
  if (content.length > MAXIMUM_DOCUMENT_BYTES)
    throw refused("The file is larger than 5 MB. Nothing was sent.");
  const found = DOCUMENT_MEDIA_TYPES.find((type) =>
    BEGINNINGS[type].every((byte, index) => content[index] === byte),
  );
  if (!found) throw refused("The file is neither a JPEG or PNG photo nor a PDF. Nothing was sent.");
  return found;
}

const refused = (message: string) => new AppError("INVALID_PARAMETERS", message);
