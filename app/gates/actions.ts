"use server";

import { z } from "zod";
import { formOf, readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import { SHOWN_FIELD } from "@/lib/contract/shown";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { CloseGatesResult, OpenGatesResult } from "@/lib/contract/views/gates-view";
import { beginOpening as begin, closeGates as close, openGates as open } from "@/lib/core/keys/switch-gates";

/** Closing and opening all gates. Each calls one core verb, which says who may. */

const ofClosingSchema = z.object({ closingId: z.uuid() });

/** Of a form, which says itself what its page showed: pressed before the scripts of the page run, it closes them too. */
export async function closeGates(
  _previous: CloseGatesResult | null,
  form: FormData,
): Promise<CloseGatesResult> {
  return runAsMember(async (services, context) => {
    await close(services, context);
    return { kind: "CLOSED" };
  }, formOf(form).get(SHOWN_FIELD));
}

export async function beginOpening(input: {
  closingId: string;
}): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | { kind: "REFUSED"; message: string }> {
  return runAsMember(async (services, context) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, readInput(ofClosingSchema, input).closingId),
  }));
}

export async function openGates(input: {
  closingId: string;
  confirmation: Confirmation;
}): Promise<OpenGatesResult> {
  return runAsMember(async (services, context) => {
    const { closingId } = readInput(ofClosingSchema.strip(), input);
    return open(services, context, { closingId, confirmation: input.confirmation });
  });
}
