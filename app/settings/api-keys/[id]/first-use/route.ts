import { z } from "zod";
import { currentMember } from "@/app/auth/member";
import { readLastUse } from "@/lib/core/keys/read-last-use";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

/** Whether a key has ever been used: `{ "isUsed": boolean }`. Asked every two seconds while somebody waits for it. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const member = await currentMember();
  if (!member) return new Response("Sign in", { status: 401 });
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) return new Response("Not Found", { status: 404 });
  const { services } = getRuntime();
  const lastUsedAt = await readLastUse(services, memberContext(services, member), id.data);
  if (lastUsedAt === undefined) return new Response("Not Found", { status: 404 });
  return Response.json({ isUsed: lastUsedAt !== null }, { headers: { "Cache-Control": "no-store" } });
}
