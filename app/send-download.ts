import "server-only";
import { ASKING_STATUS, askingMember, type Refused } from "@/app/auth/member";
import { AppError, ERROR_STATUS } from "@/lib/contract/error";
import { SHOWN_FIELD } from "@/lib/contract/shown";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

/** A file that is made while it is sent. */
export interface Download {
  name: string;
  contentType: string;
  chunks: AsyncGenerator<string | Uint8Array>;
}

/**
 * Sends a file of the organization that the page showed to the browser as it is made: nothing is read ahead of what the
 * browser takes. A refusal keeps the core command's own message and is answered before any file.
 */
export async function sendDownload(
  request: Request,
  open: (
    services: Runtime["services"],
    context: Context<MemberActor>,
    member: CurrentSession,
  ) => Promise<Download>,
): Promise<Response> {
  const asking = await askingMember({ shown: new URL(request.url).searchParams.get(SHOWN_FIELD) });
  if (asking.kind === "REFUSED") return refuseAsking(asking);
  const { services } = getRuntime();
  const context = memberContext(services, asking.member);
  const result = await runGuarded(async () => {
    try {
      return { kind: "OPEN" as const, download: await open(services, context, asking.member) };
    } catch (error) {
      if (error instanceof AppError) return { kind: "REFUSED" as const, error };
      throw error;
    }
  });
  if (result.kind === "ERROR") return refusal(500, `${result.message} Request ${result.requestId}.`);
  if (result.kind === "REFUSED") return refusal(ERROR_STATUS[result.error.code], result.error.message);
  const { name, contentType, chunks } = result.download;
  return new Response(toStream(chunks), {
    headers: {
      "Content-Type": contentType,
      // The name is made of letters, digits, dots and hyphens by whoever names it.
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Why there is no file, in a sentence. */
export function refuseAsking({ because, message }: Refused): Response {
  return refusal(ASKING_STATUS[because], message);
}

export function refusal(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

/** A browser that goes away ends the making, which gives back what it holds. */
function toStream(chunks: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
}
