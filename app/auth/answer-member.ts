import "server-only";
import { attemptAsMember } from "@/app/auth/run-as-member";
import { shownOf } from "@/lib/contract/shown";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ExportedFile } from "@/lib/core/shared/csv";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import type { RequestBudget } from "@/lib/core/sign-in/request-budget";
import type { Runtime } from "@/lib/next/runtime";

type Services = Runtime["services"];

/** For answers to a signed-in member: neither browser nor proxy may keep them. */
export const PRIVATE_ANSWER = { "Cache-Control": "no-store", Vary: "Cookie" };

/**
 * Answers a request that a member's page sends by itself, within a budget for their session.
 * @param proposalId from the request's path
 */
export async function answerMember(
  request: Request,
  budget: RequestBudget,
  answer: (services: Services, context: Context<MemberActor>, time: TimeContext) => Promise<Response>,
  proposalId?: string,
): Promise<Response> {
  const ran = await attemptAsMember(
    async (services, context, time) => {
      budget.take(services, context);
      return answer(services, context, time);
    },
    { shown: shownOf(request), proposalId },
  );
  if (ran.kind === "RAN") return ran.value;
  const { status, elsewhere, refused } = ran;
  // Both organizations, so that the page can offer both.
  if (elsewhere) return Response.json(elsewhere, { status, headers: PRIVATE_ANSWER });
  return new Response(refused.requestId ?? refused.message, {
    status,
    headers: { ...PRIVATE_ANSWER, ...(status === 429 && { "Retry-After": "60" }) },
  });
}

interface Download {
  /** Letters, digits, dots and hyphens. */
  name: string;
  contentType: string;
  chunks: AsyncGenerator<string | Uint8Array>;
}

/** Streams a file of the organization that the page showed, no faster than the browser reads. */
export async function sendDownload(
  request: Request,
  open: (
    services: Services,
    context: Context<MemberActor>,
    time: TimeContext,
    member: CurrentSession,
  ) => Promise<Download>,
): Promise<Response> {
  const ran = await attemptAsMember(open, { shown: shownOf(request) });
  if (ran.kind === "REFUSED") return refuseDownload(ran.status, ran.refused.message);
  const { name, contentType, chunks } = ran.value;
  return new Response(toStream(chunks), {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

export async function sendCsv(
  request: Request,
  open: (services: Services, context: Context<MemberActor>, time: TimeContext) => ExportedFile,
): Promise<Response> {
  return sendDownload(request, async (services, context, time) => {
    const { fileName, lines } = open(services, context, time);
    return { name: fileName, contentType: "text/csv; charset=utf-8", chunks: lines };
  });
}

export function refuseDownload(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

/** Canceling ends the generator, which releases what it holds. */
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

/** The query of a request as pages get it. */
export function queryOf(request: Request): Record<string, string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
}
