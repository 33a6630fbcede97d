"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import { disconnectAssistant as disconnect } from "@/lib/core/keys/disconnect-assistant";
import { type DisconnectionView, previewDisconnection as preview } from "@/lib/views/keys/preview-revocation";

const ofAssistantSchema = z.object({ assistantId: z.uuid() });

export async function previewDisconnection(input: {
  assistantId: string;
}): Promise<{ kind: "PREVIEW"; view: DisconnectionView } | Refused> {
  return runAsMember(async (services, context) => {
    const { assistantId } = readInput(ofAssistantSchema, input);
    return { kind: "PREVIEW", view: await preview(services, context, assistantId) };
  });
}

export async function disconnectAssistant(input: {
  assistantId: string;
}): Promise<{ kind: "DISCONNECTED" } | Refused> {
  return runAsMember(async (services, context) => {
    await disconnect(services, context, readInput(ofAssistantSchema, input).assistantId);
    return { kind: "DISCONNECTED" };
  });
}
