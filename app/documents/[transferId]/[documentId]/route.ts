import { z } from "zod";
import { attemptAsMember } from "@/app/auth/run-as-member";
import { shownOf } from "@/lib/contract/shown";
import { openMemberDocument } from "@/lib/core/approvals/documents/read-document";

const pathSchema = z.object({ transferId: z.uuid().toLowerCase(), documentId: z.uuid().toLowerCase() });

/** Beside the sandbox and the other headers of the launcher (lib/api/launcher/response-headers.ts). */
const PRIVATE = { "Cache-Control": "private, no-store", Vary: "Cookie" };

interface Props {
  params: Promise<{ transferId: string; documentId: string }>;
}

/** One document of a transfer, for the members who see the transfer. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const of = pathSchema.safeParse(await params);
  if (!of.success) return refuse(404, "There is no such document.");
  const ran = await attemptAsMember((services, context) => openMemberDocument(services, context, of.data), {
    shown: shownOf(request),
    proposalId: of.data.transferId,
  });
  if (ran.kind === "REFUSED") return refuse(ran.status, ran.refused.message);
  if (ran.value === null) return refuse(404, "There is no such document.");
  const { document, content } = ran.value;
  // Browsers do not show a PDF in a sandbox, and one that was shown outside of it could run its scripts.
  const isShown = document.mediaType !== "application/pdf";
  return new Response(new Uint8Array(content), {
    headers: {
      ...PRIVATE,
      "Content-Type": document.mediaType,
      "Content-Length": String(content.length),
      "Content-Disposition": `${isShown ? "inline" : "attachment"}; ${fileNames(document.name)}`,
    },
  });
}

/** RFC 6266: the name for old clients in a few safe characters, and all of it encoded. */
function fileNames(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function refuse(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { ...PRIVATE, "Content-Type": "text/plain; charset=utf-8" },
  });
}
