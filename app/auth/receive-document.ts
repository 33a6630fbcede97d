import "server-only";
import { attemptAsMember } from "@/app/auth/run-as-member";
import { DOCUMENT_NAME_HEADER } from "@/lib/contract/input/document-types";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import { shownOf } from "@/lib/contract/shown";
import type { GivenDocument } from "@/lib/core/approvals/documents/add-document";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { readBoundedBody } from "@/lib/next/read-bounded-body";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

/**
 * Receives a document as a request's body, with its name in a header: a server action would buffer it twice and has one
 * size limit for all.
 * @param proposalId from the request's path
 */
export async function receiveDocument(
  request: Request,
  add: (
    services: Runtime["services"],
    context: Context<MemberActor>,
    document: GivenDocument,
  ) => Promise<void>,
  proposalId?: string,
): Promise<Response> {
  // CSRF: browsers report the origin.
  if (request.headers.get("origin") !== new URL(getRuntime().services.appUrl).origin)
    return answer(403, "Send this from its own page.");
  const name = decodeName(request.headers.get(DOCUMENT_NAME_HEADER) ?? "");
  const content = await readBoundedBody(request, MAXIMUM_DOCUMENT_BYTES);
  if (!content) return answer(413, "The file is larger than 5 MB. Nothing was added.");
  const ran = await attemptAsMember((services, context) => add(services, context, { name, content }), {
    shown: shownOf(request),
    proposalId,
  });
  return ran.kind === "RAN" ? new Response(null, { status: 204 }) : answer(ran.status, ran.refused.message);
}

/** Empty, and so refused as a name, where it is not encoded. */
function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return "";
  }
}

function answer(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { "Cache-Control": "no-store" } });
}
