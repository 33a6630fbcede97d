"use server";

import { memberAction } from "@/app/auth/member-action";
import { batchFileSchema, proposeBatchFileSchema } from "@/lib/contract/approvals/batch-file";
import { previewBatchFile, proposeBatchFile } from "@/lib/core/approvals/batches/batch-file";

const otherwise = "This file is too large. Nothing was proposed.";

/** Shows what a file would propose. Stores nothing. */
export const previewBatch = memberAction(
  { may: "DECIDERS", input: batchFileSchema, otherwise },
  ({ services, context }, file) => previewBatchFile(services, context, file),
);

/** Proposes a file as one batch; returns the link to it. */
export const proposeBatch = memberAction(
  { may: "DECIDERS", input: proposeBatchFileSchema, otherwise },
  async ({ services, context }, file) => ({
    kind: "PROPOSED",
    href: await proposeBatchFile(services, context, file),
  }),
);
