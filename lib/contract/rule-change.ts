import { z } from "zod";
import { confirmationSchema } from "@/lib/contract/confirmation";
import type { DiscardInput, RuleActInput, RuleActSubject } from "@/lib/contract/views/rule-change";

/** What a browser sends from a rule's page. Shapes and bounds only. */

const version = z.int().min(1);
const subjectShape = {
  act: z.enum(["ACTIVATE", "DEACTIVATE", "RESUME"]),
  ruleId: z.uuid(),
  version,
  digest: z.string().max(200),
};

export const ruleActSubjectSchema = z.object(subjectShape) satisfies z.ZodType<RuleActSubject>;

export const ruleActInputSchema = z.object({
  ...subjectShape,
  confirmation: confirmationSchema,
}) satisfies z.ZodType<RuleActInput>;

export const discardInputSchema = z.object({ ruleId: z.uuid(), version }) satisfies z.ZodType<DiscardInput>;
