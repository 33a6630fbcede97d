import type { z } from "zod";
import type { ToolHints } from "@/lib/doors/operations/tool-hints";

export interface GuidedTool {
  name: string;
  title: string;
  description: string;
  hints: ToolHints;
  input: z.ZodObject;
  output: z.ZodType;
  answer: (sent: unknown, appUrl: string) => { text: string; data: unknown };
}

export const guidedTools: readonly GuidedTool[] = [];
