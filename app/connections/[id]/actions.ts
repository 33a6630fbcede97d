"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { refusal } from "@/app/auth/run-as-member";
import { forgetLink, keepLink } from "@/app/connections/link-cookie";
import { beginSignInAgain, signInAgain } from "@/lib/core/connections/begin-connecting";
import { disconnectConfirmed } from "@/lib/core/connections/disconnect";
import { refreshNow } from "@/lib/core/connections/refresh-now";
import { getRuntime } from "@/lib/next/runtime";

const ofConnection = z.object({ connectionId: z.uuid() });

export const refreshConnection = memberAction(
  { may: "DECIDERS", input: ofConnection },
  async ({ services, context }, { connectionId }) => {
    const asked = await refreshNow(services, context, connectionId);
    if (asked.kind === "DUE") return { kind: "DONE" };
    return asked.kind === "THROTTLED"
      ? refusal(`Refreshed too often. Try again in ${Math.ceil(asked.retryAfterSeconds / 60)} minutes.`)
      : refusal("This connection is no longer refreshed. Load this page again to see why.");
  },
);

export const beginSignIn = memberAction(
  { may: "DECIDERS", input: ofConnection },
  async ({ services, context }, { connectionId }) => {
    const begun = await beginSignInAgain(services, getRuntime().aggregator, context, connectionId);
    const { organizationId, actor } = context;
    if (begun.kind === "LINK") {
      await keepLink({ linkToken: begun.linkToken, organizationId, memberId: actor.id, connectionId });
    }
    return begun;
  },
);

export const finishSignIn = memberAction(
  { may: "DECIDERS", input: ofConnection },
  async ({ services, context }, { connectionId }) => {
    // False where someone else was faster: then it is done.
    await signInAgain(services, context, connectionId);
    await forgetLink();
  },
);

export const disconnectConnection = memberAction(
  { may: "DECIDERS", input: ofConnection },
  async ({ services, context }, { connectionId }) => {
    const isEnded = await disconnectConfirmed(services, context, connectionId);
    return isEnded ? { kind: "DONE" } : refusal("This connection has already ended.");
  },
);
