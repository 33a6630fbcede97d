"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ConsentResult } from "@/app/connect/[uid]/_components/consent-actions";
import { requestUidSchema } from "@/lib/core/keys/connect-assistant";
import { getRuntime } from "@/lib/next/runtime";

/**
 * The member's answer to a program. Returns a URL instead of redirecting: Next would fetch the redirect itself, which
 * works once, and rejects app schemes.
 */

const ofRequestSchema = z.object({ uid: requestUidSchema });

/**
 * No step-up, unlike a new key: an assistant can never move money alone (specification, Part 5). An attacker at this
 * browser would only gain read access, and every owner is notified.
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

/** A request is valid only in the browser where it began (`AuthorizationRequests`). */
async function cookieHeader(): Promise<string> {
  return (await headers()).get("cookie") ?? "";
}
