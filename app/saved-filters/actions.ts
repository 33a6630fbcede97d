"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { labeled, runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import { type SavedList, savedListSchema } from "@/lib/contract/search/saved-filters";
import {
  deleteFilter as remove,
  renameFilter as rename,
  saveFilter as save,
} from "@/lib/core/organizations/saved-filters";

type FilterResult = { kind: "DONE" } | Refused;

// Lengths and characters are the command's to refuse, with a sentence for the form.
const newFilterSchema = z.object({ list: savedListSchema, name: z.string(), query: z.string() });
const renamedSchema = z.object({ filterId: z.uuid(), name: z.string() });
const toProblem = labeled({ name: "The name", query: "What is shown" });

/** Saves what a list shows under a name, for the member alone. */
export async function saveFilter(input: {
  list: SavedList;
  name: string;
  query: string;
}): Promise<FilterResult> {
  return runAsMember(
    async (services, context) => {
      await save(services, context, readInput(newFilterSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function renameFilter(input: { filterId: string; name: string }): Promise<FilterResult> {
  return runAsMember(
    async (services, context) => {
      await rename(services, context, readInput(renamedSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function deleteFilter(input: { filterId: string }): Promise<FilterResult> {
  return runAsMember(async (services, context) => {
    await remove(services, context, readInput(z.object({ filterId: z.uuid() }), input).filterId);
    return { kind: "DONE" };
  });
}
