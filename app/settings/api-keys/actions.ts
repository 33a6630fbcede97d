"use server";

import { z } from "zod";
import { currentMember } from "@/app/auth/member";
import { type Grace, graceSchema, type NewKeyInput, newKeySchema } from "@/lib/contract/api-key";
import { AppError } from "@/lib/contract/error";
import type { KeyRefused, NewKeyResult, RevocationView } from "@/lib/contract/views/keys-view";
import type { Context, MemberActor } from "@/lib/core/context";
import { createConfirmedApiKey } from "@/lib/core/keys/create-confirmed-api-key";
import { previewRevocation as preview } from "@/lib/core/keys/preview-revocation";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { memberContext } from "@/lib/core/members/member-context";
import { NotConfirmed } from "@/lib/core/members/not-confirmed";
import { runGuarded } from "@/lib/core/run-guarded";
import type { Runtime } from "@/lib/core/runtime";
import { getRuntime } from "@/lib/core/runtime";

/** What owners and co-owners do with keys. Each calls one core verb, which refuses everybody else. */

export async function createKey(input: NewKeyInput): Promise<NewKeyResult> {
  return asMember(async (services, context) => {
    const parsed = newKeySchema.safeParse(input);
    if (!parsed.success) return { kind: "REFUSED", message: "This key cannot be read. Nothing was made." };
    return { kind: "CREATED", ...(await createConfirmedApiKey(services, context, parsed.data)) };
  });
}

export async function replaceKey(input: { keyId: string; grace: Grace }): Promise<NewKeyResult> {
  return asMember(async (services, context) => {
    const parsed = z.object({ keyId: z.uuid(), grace: graceSchema }).parse(input);
    return { kind: "CREATED", ...(await replaceApiKey(services, context, parsed)) };
  });
}

export async function previewRevocation(input: {
  keyId: string;
}): Promise<{ kind: "PREVIEW"; view: RevocationView } | KeyRefused> {
  return asMember(async (services, { organizationId, now }) => {
    const keyId = z.uuid().parse(input.keyId);
    return { kind: "PREVIEW", view: await preview(services.pool, organizationId, keyId, now) };
  });
}

export async function revokeKey(input: { keyId: string }): Promise<{ kind: "REVOKED" } | KeyRefused> {
  return asMember(async (services, context) => {
    await revokeApiKey(services, context, z.uuid().parse(input.keyId));
    return { kind: "REVOKED" };
  });
}

/** Runs a verb as whoever asks; what it refuses is told in its own sentence. */
async function asMember<Result>(
  run: (services: Runtime["services"], context: Context<MemberActor>) => Promise<Result>,
): Promise<Result | KeyRefused> {
  const current = await currentMember();
  if (!current) return refused("You were signed out. Sign in again. Nothing was changed.");
  const { services } = getRuntime();
  const result = await runGuarded(async () => {
    try {
      return { kind: "RAN" as const, value: await run(services, memberContext(services, current)) };
    } catch (error) {
      if (error instanceof NotConfirmed || error instanceof AppError) {
        return { kind: "RAN" as const, value: refused(error.message) };
      }
      throw error;
    }
  });
  return result.kind === "RAN" ? result.value : refused(`${result.message} Request ${result.requestId}.`);
}

function refused(message: string): KeyRefused {
  return { kind: "REFUSED", message };
}
