"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ConsentResult } from "@/lib/contract/views/consent-view";
import { requestUidSchema } from "@/lib/core/keys/connect-assistant";
import { getRuntime } from "@/lib/next/runtime";

/**
 * What a member answers a program that wants to be connected. The answer is an address and no redirect: Next would
 * fetch that of the authorization server itself, which works once, and knows no scheme of an app.
 */

const ofRequestSchema = z.object({ uid: requestUidSchema });

/**
 * No proof as for a new key: a key may be made to move money alone, an assistant never may (specification, Part 5), so
 * whoever sits at this browser gains nothing by it that lasts but reading, of which every owner is told by message.
 */
export async function allowConnection(input: { uid: string }): Promise<ConsentResult> {
  return runAsMember(async (_services, { organizationId, actor, now }): Promise<ConsentResult> => {
    const { uid } = readInput(ofRequestSchema, input);
    const by = { organizationId, userId: actor.id, now };
    return toResult(await getRuntime().connections.allow(uid, await cookieHeader(), by));
  });
}

export async function refuseConnection(input: { uid: string }): Promise<ConsentResult> {
  return runAsMember(async (): Promise<ConsentResult> => {
    const { uid } = readInput(ofRequestSchema, input);
    return toResult(await getRuntime().connections.refuse(uid, await cookieHeader()));
  });
}

function toResult(url: string | null): ConsentResult {
  return url === null ? { kind: "OVER" } : { kind: "GO", url };
}

/** A request counts only in the browser in which it began (`ConnectionDesk`). */
async function cookieHeader(): Promise<string> {
  return (await headers()).get("cookie") ?? "";
}
