import { z } from "zod";
import { toProblems } from "@/lib/api/operations/to-problems";
import type { ToolHints } from "@/lib/api/operations/tool-hints";
import { AppError } from "@/lib/contract/error";

/** Where a person does it, who may, and how: what every guided tool answers. */
export const guidanceSchema = z.strictObject({
  url: z.url().describe("The page of the dashboard. Give it to the person as it is."),
  whoMay: z.string().describe("Who may do it there."),
  steps: z.array(z.string()).describe("What the person does there, in order."),
});
export type Guidance = z.infer<typeof guidanceSchema>;

/** A tool that does nothing itself and shows the way to the page where a person does it (specification, Part 5). */
export interface GuidedTool {
  name: string;
  title: string;
  description: string;
  hints: ToolHints;
  input: z.ZodObject;
  output: z.ZodType;
  /** @throws AppError `INVALID_PARAMETERS` for arguments that it does not have. */
  answer: (sent: unknown, appUrl: string) => { text: string; data: Guidance };
}

interface GuidedToolRow<Input extends z.ZodObject>
  extends Omit<GuidedTool, "answer" | "input" | "output" | "hints"> {
  input: Input;
  /** What it guides to, for the opening of its text: `add a person`. */
  task: string;
  guide: (input: z.output<Input>, appUrl: string) => Guidance;
}

/** Nothing is read but what Sluice itself says, and nothing changes: whoever may call at all may call these. */
const GUIDES: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** Checks a row's types where it is written, as `operation` does for operations. */
export function guidedTool<Input extends z.ZodObject>({
  task,
  guide,
  ...row
}: GuidedToolRow<Input>): GuidedTool {
  return {
    ...row,
    hints: GUIDES,
    output: guidanceSchema,
    answer: (sent, appUrl) => {
      const parsed = row.input.safeParse(sent, { reportInput: true });
      if (!parsed.success) throw notValid(toProblems(parsed.error.issues));
      const guidance = guide(parsed.data, appUrl);
      return { text: tellGuidance(task, guidance), data: guidance };
    },
  };
}

function notValid(problems: ReturnType<typeof toProblems>): AppError {
  const first = problems[0];
  const message = first
    ? [first.field, first.message].filter(Boolean).join(": ")
    : "The arguments are not valid";
  return new AppError("INVALID_PARAMETERS", `${message}.`, problems);
}

function tellGuidance(task: string, { url, whoMay, steps }: Guidance): string {
  return [
    `No tool can ${task}: a person does it in the dashboard. Nothing was changed by this call.`,
    `Give the person this address: ${url}`,
    `Who may: ${whoMay}`,
    ...steps.map((step, index) => `${index + 1}. ${step}`),
  ].join("\n");
}
