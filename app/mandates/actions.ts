"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import {
  mandateIdSchema,
  mandateNarrowInputSchema,
  mandateSignInputSchema,
  mandateSignSubjectSchema,
  mandateWriteInputSchema,
} from "@/lib/contract/mandates/signing";
import { endMandate as end } from "@/lib/core/mandates/end-mandate";
import { beginMandateSignature as begin, signMandate as sign } from "@/lib/core/mandates/sign-mandate";
import {
  noteSuggestionShown,
  stopSuggesting,
  suggestAgain,
  suggestionRouteSchema,
} from "@/lib/core/mandates/suggestions";
import { narrowMandate as narrow, writeMandate as write } from "@/lib/core/mandates/write-mandate";

const toProblem = labeled({
  sourceAccountIds: "Where it comes from",
  destinationAccountIds: "Where it may go",
  minimumInCents: "The least",
  maximumInCents: "The most",
  dayInCents: "The amount",
  weekInCents: "The amount",
  monthInCents: "The amount",
  thirtyDaysInCents: "The amount",
  totalInCents: "The amount",
  maximumUses: "The number",
  atMost: "The number",
  daysApart: "The number",
  from: "The first day",
  until: "The last day",
  keepsInCents: "The amount",
  purpose: "The purpose",
});

/** A mandate for a key, to be signed on its page. */
export const writeMandate = memberAction(
  { may: "DECIDERS", input: mandateWriteInputSchema, toProblem },
  async ({ services, context }, input) => ({ kind: "WRITTEN", ...(await write(services, context, input)) }),
);

/** Other terms for one that waits, of a program's request only narrower ones; earlier signatures end. */
export const narrowMandate = memberAction(
  { may: "DECIDERS", input: mandateNarrowInputSchema, toProblem },
  async ({ services, context }, input) => {
    await narrow(services, context, input);
    return { kind: "NARROWED" };
  },
);

/** How this member must confirm a signature, with a passkey's challenge. Changes nothing. */
export const beginMandateSignature = memberAction(
  { may: "DECIDERS", input: mandateSignSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, subject),
  }),
);

export const signMandate = memberAction(
  { may: "DECIDERS", input: mandateSignInputSchema },
  ({ services, context }, input) => sign(services, context, input),
);

/** Ends it, or denies it while it waits. One tap, without a confirmation: it only removes what a key may do. */
export const endMandate = memberAction(
  { may: "DECIDERS", input: mandateIdSchema },
  async ({ services, context }, { id }) => {
    await end(services, context, id);
    return { kind: "ENDED" };
  },
);

/** A mandate for this route is not suggested again. */
export const switchOffSuggestion = memberAction(
  { may: "DECIDERS", input: suggestionRouteSchema },
  async ({ services, context }, route) => {
    await stopSuggesting(services, context, route);
    return { kind: "SWITCHED" };
  },
);

/** Takes that back. */
export const switchOnSuggestion = memberAction(
  { may: "DECIDERS", input: suggestionRouteSchema },
  async ({ services, context }, route) => {
    await suggestAgain(services, context, route);
    return { kind: "SWITCHED" };
  },
);

/** A suggestion is before the member: for 30 days no other proposal on its route shows one. */
export const noteSuggestion = memberAction(
  { may: "DECIDERS", input: z.object({ proposalId: z.uuid() }) },
  async ({ services, context, time }, { proposalId }) => {
    await noteSuggestionShown(services, context, { proposalId, timeZone: time.timeZone });
    return { kind: "NOTED" };
  },
);
