import { z } from "zod";
import { receiveDocument } from "@/app/auth/receive-document";
import { addMemberDocument } from "@/lib/core/approvals/documents/add-document";

/** A document for a transfer that waits for approval. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ transferId: string }> },
): Promise<Response> {
  const transferId = z
    .uuid()
    .toLowerCase()
    .safeParse((await params).transferId);
  if (!transferId.success) return Response.json({ message: "There is no such transfer." }, { status: 404 });
  return receiveDocument(
    request,
    (services, context, document) =>
      addMemberDocument(services, context, { transferId: transferId.data, document }),
    transferId.data,
  );
}
