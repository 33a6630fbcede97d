"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { refusal, runAsMember } from "@/app/auth/run-as-member";
import { forgetLink, keepLink } from "@/app/connections/link-cookie";
import type { ConnectionDone } from "@/lib/contract/connections";
import type { Refused } from "@/lib/contract/refused";
import { beginSignInAgain, type SignInBegun, signInAgain } from "@/lib/core/connections/begin-connecting";
import { disconnectConfirmed } from "@/lib/core/connections/disconnect";
import { refreshNow } from "@/lib/core/connections/refresh-now";
import { getRuntime } from "@/lib/next/runtime";

const idSchema = z.uuid();

export async function refreshConnection(id: string): Promise<ConnectionDone> {
  return runAsMember(async (services, context) => {
    const asked = await refreshNow(services, context, readInput(idSchema, id));
    if (asked.kind === "DUE") return { kind: "DONE" };
    return asked.kind === "THROTTLED"
      ? refusal(`Refreshed too often. Try again in ${Math.ceil(asked.retryAfterSeconds / 60)} minutes.`)
      : refusal("This connection is no longer refreshed. Load this page again to see why.");
  });
}

export async function beginSignIn(id: string): Promise<SignInBegun | Refused> {
  return runAsMember(async (services, context) => {
    const connectionId = readInput(idSchema, id);
    const begun = await beginSignInAgain(services, getRuntime().aggregator, context, connectionId);
    const { organizationId, actor } = context;
    if (begun.kind === "LINK") {
      await keepLink({ linkToken: begun.linkToken, organizationId, memberId: actor.id, connectionId });
    }
    return begun;
  });
}

export async function finishSignIn(id: string): Promise<ConnectionDone> {
  return runAsMember(async (services, context) => {
    // False where someone else was faster: then it is done.
    await signInAgain(services, context, readInput(idSchema, id));
    await forgetLink();
    return { kind: "DONE" };
  });
}

export async function disconnectConnection(id: string): Promise<ConnectionDone> {
  return runAsMember(async (services, context) => {
    const isEnded = await disconnectConfirmed(services, context, readInput(idSchema, id));
    return isEnded ? { kind: "DONE" } : refusal("This connection has already ended.");
  });
}
