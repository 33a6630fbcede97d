"use server";

import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import {
  acceptDateSchema,
  askedBankSchema,
  bookLineSchema,
  matchDifferencesSchema,
} from "@/lib/contract/reconciliation";
import {
  acceptDate as accept,
  noteBankAsked as ask,
  askReconciliation,
  bookLine as book,
  matchDifferences as match,
} from "@/lib/core/reconciliation/resolve-difference";

const toProblem = labeled({ note: "The note", accountId: "The account", otherId: "The other difference" });

export const reconcileNow = memberAction({ may: "DECIDERS" }, ({ services, context }) =>
  askReconciliation(services, context),
);

export const noteBankAsked = memberAction(
  { may: "DECIDERS", input: askedBankSchema, toProblem },
  ({ services, context }, input) => ask(services, context, input),
);

export const matchDifferences = memberAction(
  { may: "DECIDERS", input: matchDifferencesSchema, toProblem },
  ({ services, context }, input) => match(services, context, input),
);

export const acceptDate = memberAction(
  { may: "DECIDERS", input: acceptDateSchema, toProblem },
  ({ services, context }, input) => accept(services, context, input),
);

export const bookLine = memberAction(
  { may: "DECIDERS", input: bookLineSchema, toProblem },
  ({ services, context }, input) => book(services, context, input),
);
