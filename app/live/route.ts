import { answerMember, PRIVATE_ANSWER } from "@/app/auth/answer-member";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { readLive } from "@/lib/views/read-live";

/** A few tabs polling every few seconds. */
const budget = createRequestBudget(240);

/** `LiveView`; 304 when nothing changed. */
export async function GET(request: Request): Promise<Response> {
  return answerMember(request, budget, async (services, context) => {
    const live = await readLive({ services, context });
    const etag = `"${live.waitingCount}-${Object.values(live.stamps).join("-")}"`;
    const headers = { ...PRIVATE_ANSWER, ETag: etag };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return Response.json(live, { headers });
  });
}
