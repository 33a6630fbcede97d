import { z } from "zod";
import { currentSession } from "@/app/auth/member";
import { returnPath, signInHref } from "@/app/auth/return-path";
import { signedInAs } from "@/lib/contract/browser/elsewhere";
import { parseShown, SHOWN_FIELD } from "@/lib/contract/shown";
import { switchOrganization } from "@/lib/core/sign-in/start-session";
import { readBoundedBody } from "@/lib/next/read-bounded-body";
import { getRuntime } from "@/lib/next/runtime";

const MAXIMUM_BODY_BYTES = 4_096;
const choiceSchema = z.object({
  organization: z.uuid(),
  next: z.string().optional(),
  [SHOWN_FIELD]: z.string().optional(),
});

/**
 * Switches to another of the member's organizations. Only a form can do this, never a link, and it opens a new
 * document, so that nothing of the previous organization stays in the tab.
 */
export async function POST(request: Request): Promise<Response> {
  const body = await readBoundedBody(request, MAXIMUM_BODY_BYTES);
  const fields = Object.fromEntries(new URLSearchParams(body?.toString("utf8") ?? ""));
  const choice = choiceSchema.safeParse(fields);
  if (!choice.success) return answer(400, "Choose one of your organizations.");
  const next = returnPath(choice.data.next);
  const current = await currentSession();
  if (!current) return seeOther(signInHref(next));
  const shown = parseShown(choice.data[SHOWN_FIELD]);
  if (shown === null) return answer(400, "This did not come from a page of Sluice. Load it again.");
  if (shown.userId !== current.actor.id) return answer(409, signedInAs(current.actor.name));
  const { services } = getRuntime();
  const isTheirs = await switchOrganization(
    services,
    current.session.id,
    current.actor.id,
    choice.data.organization,
  );
  if (!isTheirs) return answer(403, "You do not belong to this organization.");
  return seeOther(next);
}

function answer(status: number, sentence: string): Response {
  return new Response(`${sentence} Nothing was changed.\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path, "Cache-Control": "no-store" } });
}
