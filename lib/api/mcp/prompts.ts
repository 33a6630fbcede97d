import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { checkWhatWaits } from "@/lib/api/mcp/prompts/check-what-waits";
import { explainAFailedRun } from "@/lib/api/mcp/prompts/explain-a-failed-run";
import { payACard } from "@/lib/api/mcp/prompts/pay-a-card";
import type { PromptTemplate } from "@/lib/api/mcp/prompts/prompt";
import { setAsideTaxes } from "@/lib/api/mcp/prompts/set-aside-taxes";
import { weeklySummary } from "@/lib/api/mcp/prompts/weekly-summary";
import { oneLine, quoteExactly } from "@/lib/api/mcp/tell/quote";
import { toProblems } from "@/lib/api/operations/to-problems";

/** The common jobs, in the order in which clients show them. */
const TEMPLATES: readonly PromptTemplate[] = [
  setAsideTaxes,
  payACard,
  explainAFailedRun,
  weeklySummary,
  checkWhatWaits,
];

export function listPrompts(): Prompt[] {
  return TEMPLATES.map(({ name, title, description, arguments: fields }) => ({
    name,
    title,
    description,
    arguments: fields.map((field) => ({ ...field })),
  }));
}

/**
 * A prompt, filled in.
 * @throws ProtocolError for a name that there is not, or arguments that it does not take: a person chose them, and is
 * told.
 */
export function getPrompt(name: string, sent: Record<string, string>): GetPromptResult {
  const template = TEMPLATES.find((one) => one.name === name);
  if (!template) throw invalid(`There is no prompt ${quoteExactly(name, 60)}.`);
  return {
    description: template.description,
    messages: [{ role: "user", content: { type: "text", text: renderChecked(template, sent) } }],
  };
}

function renderChecked(template: PromptTemplate, sent: Record<string, string>): string {
  try {
    return template.render(sent);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [first] = toProblems(error.issues);
    throw invalid(oneLine(`${first?.field ?? "The arguments"} ${first?.message ?? "are not valid"}.`));
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
