"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { currentSession } from "@/app/auth/member";
import { readInput } from "@/app/auth/read-input";
import { signInHref } from "@/app/auth/return-path";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ConsentResult } from "@/lib/contract/views/consent-view";
import { requestUidSchema } from "@/lib/core/assistants/request-uid";
import { switchOrganization } from "@/lib/core/members/switch-organization";
import { getRuntime } from "@/lib/core/runtime";

/**
 * What a member answers a program that wants to be connected. The answer is an address and no redirect: Next would
 * fetch that of the authorization server itself, which works once, and knows no scheme of an app.
 */

const allowSchema = z.object({ uid: requestUidSchema, organizationId: z.uuid() });

/**
 * No proof as for a new key: a key may be made to move money alone, an assistant never may (specification, Part 5), so
 * whoever sits at this browser gains nothing by it that lasts but reading, of which every owner is told by message.
 */
export async function allowConnection(input: {
  uid: string;
  organizationId: string;
}): Promise<ConsentResult> {
  return runAsMember(async (_services, { organizationId, actor, now }): Promise<ConsentResult> => {
    const { uid, organizationId: agreedTo } = readInput(allowSchema, input);
    // Another tab may look at another organization since: they agreed to the one on their screen.
    if (agreedTo !== organizationId) return { kind: "REFUSED", message: ELSEWHERE };
    const by = { organizationId, userId: actor.id, now };
    return toResult(await getRuntime().connections.allow(uid, await cookieHeader(), by));
  });
}

export async function refuseConnection(input: { uid: string }): Promise<ConsentResult> {
  return runAsMember(async (): Promise<ConsentResult> => {
    const { uid } = readInput(allowSchema.pick({ uid: true }), input);
    return toResult(await getRuntime().connections.refuse(uid, await cookieHeader()));
  });
}

/** Looks at another organization of the member, and asks again there. */
export async function switchOrganizationOfConsent(uid: string, organizationId: string): Promise<void> {
  const href = `/connect/${readInput(requestUidSchema, uid)}`;
  const current = await currentSession();
  if (!current) redirect(signInHref(href));
  await switchOrganization(getRuntime().services, current.session.id, current.actor.id, organizationId);
  redirect(href);
}

const ELSEWHERE =
  "This browser looks at another organization now. Nothing was connected. Load this page again to see which.";

function toResult(url: string | null): ConsentResult {
  return url === null ? { kind: "OVER" } : { kind: "GO", url };
}

/** A request counts only in the browser in which it began (`ConnectionDesk`). */
async function cookieHeader(): Promise<string> {
  return (await headers()).get("cookie") ?? "";
}
