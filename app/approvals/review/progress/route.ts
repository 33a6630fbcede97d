import { z } from "zod";
import { answerMember, PRIVATE_ANSWER } from "@/app/auth/answer-member";
import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { countDecided } from "@/lib/views/approvals/count-decided";

/** Enough for one confirmation after the other. */
const budget = createRequestBudget(240);

const idsSchema = z.array(z.uuid()).max(MAXIMUM_DECIDED_TOGETHER);

/** How many of the proposals `id` are decided, for the page that is deciding them: `{ "decided": number }`. */
export async function GET(request: Request): Promise<Response> {
  const ids = idsSchema.safeParse(new URL(request.url).searchParams.getAll("id"));
  if (!ids.success) return new Response("Not Found", { status: 404, headers: PRIVATE_ANSWER });
  return answerMember(request, budget, async (services, context) =>
    Response.json(
      { decided: await countDecided({ services, context }, ids.data) },
      { headers: PRIVATE_ANSWER },
    ),
  );
}
