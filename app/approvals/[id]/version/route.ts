import { z } from "zod";
import { currentMember } from "@/app/auth/member";
import { timeOf } from "@/app/page-setting";
import { getApproval } from "@/lib/core/approvals/get-approval";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

/** Whether an open approval page is out of date: `{ "version": string }`. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const member = await currentMember();
  if (!member) return new Response("Sign in", { status: 401 });
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) return new Response("Not Found", { status: 404 });
  const context = memberContext(getRuntime().services, member);
  const view = await getApproval(getRuntime().services, context, id.data, timeOf(member, context));
  if (!view) return new Response("Not Found", { status: 404 });
  return Response.json({ version: view.version }, { headers: { "Cache-Control": "no-store" } });
}
