import { headers } from "next/headers";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { currentSession } from "@/app/auth/member";
import { AppError } from "@/lib/contract/error";
import { pushSubscriptionSchema } from "@/lib/contract/notifications";
import { renewDevice } from "@/lib/core/sign-in/push-devices";
import { readBoundedBody } from "@/lib/next/read-bounded-body";
import { getRuntime } from "@/lib/next/runtime";

const MAXIMUM_BODY_BYTES = 8_192;
const renewalSchema = z.object({
  oldEndpoint: z.string().max(2_000),
  subscription: pushSubscriptionSchema,
});

/**
 * A browser renewed its subscription, and its service worker (`public/sw.js`), which shows no organization, says so.
 * Only replaces a device of the signed-in person.
 */
export async function POST(request: Request): Promise<Response> {
  const isJson = (await headers()).get("content-type")?.startsWith("application/json");
  const body = isJson ? await readBoundedBody(request, MAXIMUM_BODY_BYTES) : null;
  const renewal = renewalSchema.safeParse(parse(body?.toString("utf8") ?? ""));
  if (!renewal.success) return answer(400, "Send the old endpoint and the new subscription.");
  const current = await currentSession();
  if (!current) return answer(401, "Sign in first.");
  const { services, push } = getRuntime();
  try {
    await renewDevice(services, push, current.actor, renewal.data, await readBrowserFacts());
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof AppError) return answer(400, error.message);
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function answer(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "Cache-Control": "no-store" } });
}
