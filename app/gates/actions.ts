"use server";

import { z } from "zod";
import { formOf, readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { CloseGatesResult } from "@/components/parts/gates/gates-actions";
import type {
  Confirmation,
  ConfirmationRequest,
  OpenGatesResult,
} from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";
import { SHOWN_FIELD } from "@/lib/contract/shown";
import { beginOpening as begin, closeGates as close, openGates as open } from "@/lib/core/keys/switch-gates";

const ofClosingSchema = z.object({ closingId: z.uuid() });

/** The form itself carries what its page showed, so the button works before the page's scripts run. */
export async function closeGates(
  _previous: CloseGatesResult | null,
  form: FormData,
): Promise<CloseGatesResult> {
  return runAsMember(
    async (services, context) => {
      await close(services, context);
      return { kind: "CLOSED" };
    },
    { shown: formOf(form).get(SHOWN_FIELD) },
  );
}

export async function beginOpening(input: {
  closingId: string;
}): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused> {
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
