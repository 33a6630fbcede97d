"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { labeled, readFields, refusal, runAsMember } from "@/app/auth/run-as-member";
import type { OrganizationResult } from "@/app/settings/_components/organization-actions";
import { parseCents } from "@/lib/contract/format-cents";
import {
  newPodFloorSchema,
  type OutgoingCap,
  organizationNameSchema,
  outgoingCapSchema,
  timeZoneSchema,
} from "@/lib/contract/organization";
import { renameOrganization as rename } from "@/lib/core/organizations/change-organization";
import { changeTimeZone as changeZone } from "@/lib/core/organizations/change-time-zone";
import { setNewPodFloor as setFloor } from "@/lib/core/organizations/set-new-pod-floor";
import { setOutgoingCap as setCap } from "@/lib/core/transfers/outgoing-cap";

const toProblem = labeled({ name: "The name", floor: "The floor", capInCents: "The amount" });

export async function renameOrganization(input: { name: string }): Promise<OrganizationResult> {
  return runAsMember(
    async (services, context) => {
      const { name } = readFields(z.object({ name: organizationNameSchema }), input);
      await rename(services, context, { name });
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function changeTimeZone(input: { timeZone: string }): Promise<OrganizationResult> {
  return runAsMember(async (services, context) => {
    const { timeZone } = readFields(
      z.object({ timeZone: timeZoneSchema }),
      input,
      "Sluice does not know this time zone. Nothing was changed.",
    );
    await changeZone(services, context, { timeZone });
    return { kind: "DONE" };
  });
}

export async function setNewPodFloor(input: { amount: string }): Promise<OrganizationResult> {
  return runAsMember(
    async (services, context) => {
      const { amount } = readInput(z.object({ amount: z.string().max(100) }), input);
      const cents = amount.trim() === "" ? 0 : parseCents(amount);
      if (cents === null) return refusal("The floor must be an amount like 500.00.");
      const floor = cents === 0 ? null : cents;
      await setFloor(services, context, {
        floorInCents: readFields(z.object({ floor: newPodFloorSchema }), { floor }).floor,
      });
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function setOutgoingCap(input: OutgoingCap): Promise<OrganizationResult> {
  return runAsMember(
    async (services, context) => {
      await setCap(services, context, readFields(outgoingCapSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}
