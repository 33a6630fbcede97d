"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { disconnectAssistant as disconnect } from "@/lib/core/keys/disconnect-assistant";
import { previewDisconnection as preview } from "@/lib/views/keys/preview-revocation";

const ofAssistant = z.object({ assistantId: z.uuid() });

export const previewDisconnection = memberAction(
  { may: "MEMBERS", input: ofAssistant },
  async ({ services, context }, { assistantId }) => ({
    kind: "PREVIEW",
    view: await preview({ services, context }, assistantId),
  }),
);

/** Everyone disconnects what they connected themselves; owners and co-owners, any. */
export const disconnectAssistant = memberAction(
  { may: "MEMBERS", input: ofAssistant },
  async ({ services, context }, { assistantId }) => {
    await disconnect(services, context, assistantId);
    return { kind: "DISCONNECTED" };
  },
);
