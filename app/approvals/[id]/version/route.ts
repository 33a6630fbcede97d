import { z } from "zod";
import { answerMember, PRIVATE_ANSWER } from "@/app/auth/answer-member";
import { loweredAmountSchema } from "@/lib/contract/search/lowered-amount";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { getBatchApproval } from "@/lib/views/approvals/get-batch-approval";

/** Enough for several tabs that poll every few seconds. */
const budget = createRequestBudget(240);

/** The current version of a proposal, for open pages that poll: `{ "version": string }`. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) return new Response("Not Found", { status: 404, headers: PRIVATE_ANSWER });
  return answerMember(
    request,
    budget,
    async (services, context, time) => {
      const less = loweredAmountSchema.parse(new URL(request.url).searchParams.get("amountInCents"));
      const reading = { services, context, time };
      const view = (await getBatchApproval(reading, id.data)) ?? (await getApproval(reading, id.data, less));
      if (!view) return new Response("Not Found", { status: 404, headers: PRIVATE_ANSWER });
      return Response.json({ version: view.version }, { headers: PRIVATE_ANSWER });
    },
    id.data,
  );
}
