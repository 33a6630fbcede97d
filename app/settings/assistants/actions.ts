"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { AssistantRefused, DisconnectionView } from "@/lib/contract/views/assistants-view";
import { disconnectAssistant as disconnect } from "@/lib/core/keys/disconnect-assistant";
import { previewDisconnection as preview } from "@/lib/views/keys/preview-revocation";

/** What members do with assistants. Each calls one core verb, which refuses whoever may not. */

const ofAssistantSchema = z.object({ assistantId: z.uuid() });

export async function previewDisconnection(input: {
  assistantId: string;
}): Promise<{ kind: "PREVIEW"; view: DisconnectionView } | AssistantRefused> {
  return runAsMember(async (services, context) => {
    const { assistantId } = readInput(ofAssistantSchema, input);
    return { kind: "PREVIEW", view: await preview(services, context, assistantId) };
  });
}

export async function disconnectAssistant(input: {
  assistantId: string;
}): Promise<{ kind: "DISCONNECTED" } | AssistantRefused> {
  return runAsMember(async (services, context) => {
    await disconnect(services, context, readInput(ofAssistantSchema, input).assistantId);
    return { kind: "DISCONNECTED" };
  });
}
