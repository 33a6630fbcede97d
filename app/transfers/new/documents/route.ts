import { z } from "zod";
import { receiveDocument } from "@/app/auth/receive-document";
import { addDraftDocument } from "@/lib/core/approvals/documents/add-document";

/** A document for money that the member is about to move. */
export async function POST(request: Request): Promise<Response> {
  const draftId = z.uuid().toLowerCase().safeParse(new URL(request.url).searchParams.get("draft"));
  if (!draftId.success)
    return Response.json({ message: "Reload the page, then add it again." }, { status: 400 });
  return receiveDocument(request, (services, context, document) =>
    addDraftDocument(services, context, { draftId: draftId.data, document }),
  );
}
