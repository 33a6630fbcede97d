"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { IssueCardInput } from "@/lib/contract/card";
import type { Refused } from "@/lib/contract/refused";
import { issueCard as issue } from "@/lib/core/cards/issue-card";
import { closeCard as close, freezeCard as freeze, thawCard as thaw } from "@/lib/core/cards/set-card-status";
import { getRuntime } from "@/lib/next/runtime";

const ofCardSchema = z.object({ cardId: z.uuid() });

type Done = { kind: "DONE" };

export async function issueCard(
  input: IssueCardInput,
): Promise<{ kind: "ISSUED"; cardId: string } | Refused> {
  return runAsMember(async (services, context) => ({
    kind: "ISSUED",
    cardId: await issue(services, getRuntime().cards, context, input),
  }));
}

export async function freezeCard(input: { cardId: string }): Promise<Done | Refused> {
  return runAsMember(async (services, context) => {
    await freeze(services, context, readInput(ofCardSchema, input).cardId);
    return { kind: "DONE" };
  });
}

export async function thawCard(input: { cardId: string }): Promise<Done | Refused> {
  return runAsMember(async (services, context) => {
    await thaw(services, context, readInput(ofCardSchema, input).cardId);
    return { kind: "DONE" };
  });
}

export async function closeCard(input: { cardId: string }): Promise<Done | Refused> {
  return runAsMember(async (services, context) => {
    await close(services, context, readInput(ofCardSchema, input).cardId);
    return { kind: "DONE" };
  });
}
