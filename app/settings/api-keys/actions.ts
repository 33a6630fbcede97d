"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { NewKeyResult } from "@/app/settings/api-keys/_components/new-key-result";
import { type Grace, graceSchema, type NewKeyInput, newKeySchema } from "@/lib/contract/api-key";
import type { Refused } from "@/lib/contract/refused";
import { createConfirmedApiKey } from "@/lib/core/keys/create-api-key";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { setKeyCap } from "@/lib/core/keys/set-key-cap";
import { previewRevocation as preview, type RevocationView } from "@/lib/views/keys/preview-revocation";

export async function createKey(input: NewKeyInput): Promise<NewKeyResult> {
  return runAsMember(async (services, context) => {
    const key = readInput(newKeySchema, input);
    return { kind: "CREATED", ...(await createConfirmedApiKey(services, context, key)) };
  });
}

export async function setCap(input: {
  keyId: string;
  dailyCapInCents: number | null;
}): Promise<{ kind: "DONE" } | Refused> {
  return runAsMember(async (services, context) => {
    await setKeyCap(services, context, input);
    return { kind: "DONE" };
  });
}

export async function replaceKey(input: { keyId: string; grace: Grace }): Promise<NewKeyResult> {
  return runAsMember(async (services, context) => {
    const parsed = readInput(z.object({ keyId: z.uuid(), grace: graceSchema }), input);
    return { kind: "CREATED", ...(await replaceApiKey(services, context, parsed)) };
  });
}

export async function previewRevocation(input: {
  keyId: string;
}): Promise<{ kind: "PREVIEW"; view: RevocationView } | Refused> {
  return runAsMember(async (services, { organizationId, now }) => {
    const keyId = readInput(z.object({ keyId: z.uuid() }), input).keyId;
    return { kind: "PREVIEW", view: await preview(services.pool, organizationId, keyId, now) };
  });
}

export async function revokeKey(input: { keyId: string }): Promise<{ kind: "REVOKED" } | Refused> {
  return runAsMember(async (services, context) => {
    await revokeApiKey(services, context, readInput(z.object({ keyId: z.uuid() }), input).keyId);
    return { kind: "REVOKED" };
  });
}
