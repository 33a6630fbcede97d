"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import { newPodFloorSchema, organizationNameSchema, timeZoneSchema } from "@/lib/contract/organization";
import { parseCents } from "@/lib/contract/parse-cents";
import type { OrganizationResult } from "@/lib/contract/views/organization-view";
import { renameOrganization as rename } from "@/lib/core/organizations/change-organization";
import { changeTimeZone as changeZone } from "@/lib/core/organizations/change-time-zone";
import { setNewPodFloor as setFloor } from "@/lib/core/organizations/set-new-pod-floor";

/** Of the organization. Each calls one core verb, which refuses whoever is neither owner nor co-owner. */

export async function renameOrganization(input: { name: string }): Promise<OrganizationResult> {
  return runAsMember(async (services, context) => {
    const given = readInput(z.object({ name: z.string().max(1_000) }), input);
    const name = organizationNameSchema.safeParse(given.name);
    if (!name.success) return refused(`The name ${name.error.issues[0]?.message ?? "cannot be read"}.`);
    await rename(services, context, { name: name.data });
    return { kind: "DONE" };
  });
}

export async function changeTimeZone(input: { timeZone: string }): Promise<OrganizationResult> {
  return runAsMember(async (services, context) => {
    const given = readInput(z.object({ timeZone: z.string().max(1_000) }), input);
    const timeZone = timeZoneSchema.safeParse(given.timeZone);
    if (!timeZone.success) return refused("This time zone is not known here. Nothing was changed.");
    await changeZone(services, context, { timeZone: timeZone.data });
    return { kind: "DONE" };
  });
}

export async function setNewPodFloor(input: { amount: string }): Promise<OrganizationResult> {
  return runAsMember(async (services, context) => {
    const { amount } = readInput(z.object({ amount: z.string().max(100) }), input);
    const cents = amount.trim() === "" ? 0 : parseCents(amount);
    if (cents === null) return refused("The floor must be an amount like 500.00.");
    const floor = newPodFloorSchema.safeParse(cents === 0 ? null : cents);
    if (!floor.success) return refused(`The floor ${floor.error.issues[0]?.message ?? "cannot be read"}.`);
    await setFloor(services, context, { floorInCents: floor.data });
    return { kind: "DONE" };
  });
}

function refused(message: string): OrganizationResult {
  return { kind: "REFUSED", message };
}
