import { z } from "zod";
import { answerMember, PRIVATE_ANSWER } from "@/app/auth/answer-member";
import { MAXIMUM_QUERY_LENGTH } from "@/lib/contract/search/search-query";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { findAnything } from "@/lib/views/search/find-anything";

/** Typing speed. */
const budget = createRequestBudget(300);

const questionSchema = z.object({
  query: z
    .string()
    .max(MAXIMUM_QUERY_LENGTH)
    .regex(/^[^\0]*$/),
});

/** Four bytes a character, plus JSON. */
const MAXIMUM_BODY_BYTES = 4 * MAXIMUM_QUERY_LENGTH + 100;

/**
 * Palette search (`searchViewSchema`). A POST although it changes nothing: a query may be a name or a pasted key, and
 * URLs end up in proxy logs.
 */
export async function POST(request: Request): Promise<Response> {
  return answerMember(request, budget, async (services, context, time) => {
    const length = Number(request.headers.get("content-length") ?? Number.NaN);
    if (!(length <= MAXIMUM_BODY_BYTES))
      return new Response("Too long", { status: 413, headers: PRIVATE_ANSWER });
    const question = questionSchema.safeParse(await request.json().catch(() => null));
    if (!question.success) return new Response("Bad Request", { status: 400, headers: PRIVATE_ANSWER });
    const found = await findAnything({ services, context, time }, question.data.query);
    return Response.json(found, { headers: PRIVATE_ANSWER });
  });
}
