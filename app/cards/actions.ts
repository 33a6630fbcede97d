"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { issueCardSchema } from "@/lib/contract/card";
import { issueCard as issue } from "@/lib/core/cards/issue-card";
import { closeCard as close, freezeCard as freeze, thawCard as thaw } from "@/lib/core/cards/set-card-status";
import { getRuntime } from "@/lib/next/runtime";

const ofCard = z.object({ cardId: z.uuid() });

export const issueCard = memberAction(
  {
    may: "DECIDERS",
    input: issueCardSchema,
    toProblem: labeled({ name: "The name", monthlyLimitInCents: "The limit", accountId: "The account" }),
  },
  async ({ services, context }, input) => ({
    kind: "ISSUED",
    cardId: await issue(services, getRuntime().cards, context, input),
  }),
);

/** Any cardholder, and anyone who notices misuse, can stop a card at once. */
export const freezeCard = memberAction(
  { may: "MEMBERS", input: ofCard },
  ({ services, context }, { cardId }) => freeze(services, context, cardId),
);

export const thawCard = memberAction(
  { may: "DECIDERS", input: ofCard },
  ({ services, context }, { cardId }) => thaw(services, context, cardId),
);

export const closeCard = memberAction(
  { may: "DECIDERS", input: ofCard },
  ({ services, context }, { cardId }) => close(services, context, cardId),
);
