import { z } from "zod";
import { answerMember, PRIVATE_ANSWER } from "@/app/auth/answer-member";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { readLastUse } from "@/lib/views/keys/read-new-key";

/** A few tabs polling every two seconds. */
const budget = createRequestBudget(240);

/** Whether a key was ever used: `{ "isUsed": boolean }`. Polled after creation. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) return new Response("Not Found", { status: 404, headers: PRIVATE_ANSWER });
  return answerMember(request, budget, async (services, context) => {
    const lastUsedAt = await readLastUse({ services, context }, id.data);
    if (lastUsedAt === undefined) return new Response("Not Found", { status: 404, headers: PRIVATE_ANSWER });
    return Response.json({ isUsed: lastUsedAt !== null }, { headers: PRIVATE_ANSWER });
  });
}
