"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { requestUidSchema } from "@/lib/core/keys/connect-assistant";
import { getRuntime } from "@/lib/next/runtime";

/**
 * The member's answer to a program. Returns a URL instead of redirecting: Next would fetch the redirect itself, which
 * works once, and rejects app schemes.
 */

const ofRequest = z.object({ uid: requestUidSchema });

/**
 * No step-up, unlike a new key: an assistant can never move money alone (specification, Part 5). An attacker at this
 * browser would only gain read access, and every owner is notified.
 */
export const allowConnection = memberAction(
  { may: "MEMBERS", input: ofRequest },
  async ({ context: { organizationId, actor, now } }, { uid }) => {
    const by = { organizationId, userId: actor.id, now };
    return toResult(await getRuntime().connections.allow(uid, await cookieHeader(), by));
  },
);

export const refuseConnection = memberAction({ may: "MEMBERS", input: ofRequest }, async (_acting, { uid }) =>
  toResult(await getRuntime().connections.refuse(uid, await cookieHeader())),
);

function toResult(url: string | null) {
  return url === null ? { kind: "OVER" as const } : { kind: "GO" as const, url };
}

/** A request is valid only in the browser where it began (`AuthorizationRequests`). */
async function cookieHeader(): Promise<string> {
  return (await headers()).get("cookie") ?? "";
}
