import { z } from "zod";
import { attemptAsMember } from "@/app/auth/run-as-member";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import { shownOf } from "@/lib/contract/shown";
import { addIdentityDocument } from "@/lib/core/organizations/submit-identity";
import { readBoundedBody } from "@/lib/next/read-bounded-body";
import { getRuntime } from "@/lib/next/runtime";

const subjectSchema = z.coerce.number().int().min(0).max(20);

/**
 * Receives an identity document as a request body: a server action would buffer it twice and shares one size limit. It
 * is neither logged nor stored.
 */
export async function POST(request: Request): Promise<Response> {
  const { services, isSandbox, identity } = getRuntime();
  // CSRF: browsers report the origin.
  if (request.headers.get("origin") !== new URL(services.appUrl).origin)
    return refusal(403, "Send this from its own page.");
  const subjectIndex = subjectSchema.safeParse(new URL(request.url).searchParams.get("subject"));
  if (!subjectIndex.success) return refusal(400, "Reload the page, then send it again.");
  const content = await readBoundedBody(request, MAXIMUM_DOCUMENT_BYTES);
  if (!content) return refusal(413, "The file is larger than 5 MB. Nothing was sent.");
  const ran = await attemptAsMember(
    (asServices, context) => {
      const document = { subjectIndex: subjectIndex.data, content };
      return addIdentityDocument(asServices, identity, context, document, { isSandboxBank: isSandbox });
    },
    { shown: shownOf(request) },
  );
  return ran.kind === "RAN" ? new Response(null, { status: 204 }) : refusal(400, ran.refused.message);
}

function refusal(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
