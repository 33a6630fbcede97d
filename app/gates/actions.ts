"use server";

import { z } from "zod";
import { memberAction, memberForm } from "@/app/auth/member-action";
import { confirmationSchema } from "@/lib/contract/confirmation/decision";
import { beginOpening as begin, closeGates as close, openGates as open } from "@/lib/core/keys/switch-gates";

const ofClosing = z.object({ closingId: z.uuid() });

export const closeGates = memberForm(
  { may: "DECIDERS", input: z.object({}) },
  async ({ services, context }) => {
    await close(services, context);
    return { kind: "CLOSED" };
  },
);

export const beginOpening = memberAction(
  { may: "DECIDERS", input: ofClosing },
  async ({ services, context }, { closingId }) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, closingId),
  }),
);

export const openGates = memberAction(
  { may: "DECIDERS", input: ofClosing.extend({ confirmation: confirmationSchema }) },
  ({ services, context }, input) => open(services, context, input),
);
