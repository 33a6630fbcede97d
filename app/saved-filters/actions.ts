"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import {
  newFilterSchema,
  deleteFilter as remove,
  renameFilter as rename,
  renamedFilterSchema,
  saveFilter as save,
} from "@/lib/core/organizations/saved-filters";

const toProblem = labeled({ name: "The name", query: "What is shown" });

/** Saves what a list shows under a name, for the member alone. */
export const saveFilter = memberAction(
  { may: "MEMBERS", input: newFilterSchema, toProblem },
  async ({ services, context }, filter) => {
    await save(services, context, filter);
  },
);

export const renameFilter = memberAction(
  { may: "MEMBERS", input: renamedFilterSchema, toProblem },
  ({ services, context }, filter) => rename(services, context, filter),
);

export const deleteFilter = memberAction(
  { may: "MEMBERS", input: z.object({ filterId: z.uuid() }) },
  ({ services, context }, { filterId }) => remove(services, context, filterId),
);
