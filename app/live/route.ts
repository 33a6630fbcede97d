import { answerMember, PRIVATE_ANSWER } from "@/app/auth/answer-member";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { readLive } from "@/lib/views/read-live";

/** Every few seconds from each of some tabs. */
const budget = createRequestBudget(240);

/** What waits, and whether what open pages show has changed (`LiveView`); 304 when nothing did. */
export async function GET(request: Request): Promise<Response> {
  return answerMember(budget, async (services, context) => {
    const live = await readLive(services, context);
    const etag = `"${live.waitingCount}-${Object.values(live.stamps).join("-")}"`;
    const headers = { ...PRIVATE_ANSWER, ETag: etag };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return Response.json(live, { headers });
  });
}
