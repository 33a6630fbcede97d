"use server";

import { RedirectType } from "next/navigation";
import { memberAction } from "@/app/auth/member-action";
import { openAfterwards } from "@/app/auth/open-afterwards";
import { labeled } from "@/app/auth/run-as-member";
import { firstPodsSchema, identityInputSchema, STARTER_PODS } from "@/lib/contract/onboarding";
import { endOnboarding as end } from "@/lib/core/organizations/end-onboarding";
import { submitIdentity as submit } from "@/lib/core/organizations/submit-identity";
import { openFirstPods as openPods } from "@/lib/core/rules/open-first-pods";
import { makeTestDeposit } from "@/lib/core/sandbox/play-bank";
import { getRuntime } from "@/lib/next/runtime";

const IDENTITY_LABELS = {
  name: "The name",
  taxId: "The number",
  bornOn: "The date of birth",
  ownsPercent: "The share",
  street: "The street",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
};

export const submitIdentity = memberAction(
  { may: "DECIDERS", input: identityInputSchema, toProblem: labeled(IDENTITY_LABELS) },
  async ({ services, context }, input) => {
    const { identity, isSandbox } = getRuntime();
    await submit(services, identity, context, input, { isSandboxBank: isSandbox });
    openAfterwards("/welcome", RedirectType.replace);
  },
);

export const openFirstPods = memberAction(
  {
    may: "DECIDERS",
    input: firstPodsSchema,
    toProblem: labeled({ name: "The name", sharePercent: "The share" }),
  },
  async ({ services, context }, pods) => {
    await openPods(services, context, pods);
    openAfterwards("/welcome/rule", RedirectType.replace);
  },
);

/** The suggested pods as they are, with the draft of their rule. */
export const openStarterPods = memberAction({ may: "DECIDERS" }, ({ services, context }) =>
  openPods(services, context, STARTER_PODS),
);

/** Refused where a real provider is configured. */
export const getTestDeposit = memberAction({ may: "DECIDERS" }, ({ services, context }) =>
  makeTestDeposit(services, getRuntime().sandbox, context),
);

export const endOnboarding = memberAction({ may: "DECIDERS" }, async ({ services, context }) => {
  await end(services, context);
  openAfterwards("/");
});
