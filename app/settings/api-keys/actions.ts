"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { graceSchema, newKeySchema } from "@/lib/contract/api-key";
import { createConfirmedApiKey } from "@/lib/core/keys/create-api-key";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { keyCapSchema, setKeyCap } from "@/lib/core/keys/set-key-cap";
import { requireSandbox } from "@/lib/core/sandbox/control";
import { getRuntime } from "@/lib/next/runtime";
import { previewRevocation as preview } from "@/lib/views/keys/preview-revocation";

const ofKey = z.object({ keyId: z.uuid() });

export const createKey = memberAction(
  { may: "DECIDERS", input: newKeySchema },
  async ({ services, context }, key) => {
    requireSandbox(key.permissions, getRuntime().sandbox);
    return createConfirmedApiKey(services, context, key);
  },
);

export const setCap = memberAction(
  { may: "DECIDERS", input: keyCapSchema, toProblem: labeled({ dailyCapInCents: "The cap" }) },
  ({ services, context }, input) => setKeyCap(services, context, input),
);

export const replaceKey = memberAction(
  { may: "DECIDERS", input: ofKey.extend({ grace: graceSchema }) },
  ({ services, context }, input) => replaceApiKey(services, context, input),
);

export const previewRevocation = memberAction(
  { may: "MEMBERS", input: ofKey },
  async ({ services, context: { organizationId, now } }, { keyId }) => ({
    kind: "PREVIEW",
    view: await preview(services.pool, organizationId, keyId, now),
  }),
);

export const revokeKey = memberAction(
  { may: "DECIDERS", input: ofKey },
  async ({ services, context }, { keyId }) => {
    await revokeApiKey(services, context, keyId);
    return { kind: "REVOKED" };
  },
);
