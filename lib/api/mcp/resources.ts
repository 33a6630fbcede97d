import type { Resource, TextResourceContents } from "@modelcontextprotocol/server";
import { REFUSAL_ADVICE } from "@/lib/api/mcp/refused-result";
import { ruleExamplesText } from "@/lib/api/mcp/rule-examples";
import { ruleGuide } from "@/lib/api/mcp/rule-guide";
import { ruleSchemaText, ruleSpecification } from "@/lib/api/mcp/rule-specification";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";

const MARKDOWN = "text/markdown";

interface ResourceRow extends Resource {
  mimeType: string;
  write: () => string;
}

/** What an agent may read before it acts. The same for every caller: no data of an organization. */
const ROWS: readonly ResourceRow[] = [
  {
    uri: "sluice://rules/guide",
    name: "rules-guide",
    title: "How rules run, and how to write one",
    description:
      "What getRuleGuide answers first. Short; the other resources have every field, and examples.",
    mimeType: MARKDOWN,
    write: () => ruleGuide("HOW_RULES_RUN"),
  },
  {
    uri: "sluice://rules/specification",
    name: "rules-specification",
    title: "How to write rules",
    description:
      "Triggers, conditions, actions, limits and schedules of rules, and how a run works. Read it before createRule or updateRule.",
    mimeType: MARKDOWN,
    write: ruleSpecification,
  },
  {
    uri: "sluice://rules/schema",
    name: "rules-schema",
    title: "The schema of rules",
    description: "What createRule takes, as JSON Schema 2020-12.",
    mimeType: "application/schema+json",
    write: ruleSchemaText,
  },
  {
    uri: "sluice://rules/examples",
    name: "rules-examples",
    title: "Working rules",
    description:
      "Examples from a share set aside to a waterfall and paying off debts, each in words and as createRule takes it.",
    mimeType: MARKDOWN,
    write: ruleExamplesText,
  },
  {
    uri: "sluice://api/errors",
    name: "api-errors",
    title: "Refusals, and what to do about them",
    description: "Every error code of the tools, what it means and what to do.",
    mimeType: MARKDOWN,
    write: errorTable,
  },
];

export function listResources(): Resource[] {
  return ROWS.map(({ write: _, ...resource }) => resource);
}

/** @returns null for an unknown address. */
export function readResource(uri: string): TextResourceContents | null {
  const row = ROWS.find((one) => one.uri === uri);
  return row ? { uri, mimeType: row.mimeType, text: textOf(row) } : null;
}

/** Built once: the texts change only with the version. */
const written = new Map<string, string>();

function textOf({ uri, write }: ResourceRow): string {
  const text = written.get(uri) ?? write();
  written.set(uri, text);
  return text;
}

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_STATUS, text);

/** The reference speaks of headers; tools have arguments. */
const nameArguments = (text: string) => text.replaceAll("idempotency-key", "idempotencyKey");

/** Every error code with its meaning and what an agent does about it. */
function errorTable(): string {
  const rows = Object.keys(ERROR_STATUS)
    .filter(isErrorCode)
    .map((code) => `| \`${code}\` | ${nameArguments(ERROR_HELP[code].meaning)} | ${REFUSAL_ADVICE[code]} |`);
  return [
    "# Refusals",
    "",
    "A tool that is refused answers with `isError: true`, and with `{ error: { code, message, details }, requestId }` as structured content. `details` names each invalid argument and what it must be. Waiting for approval (`APPROVAL_PENDING`) and a denial (`APPROVAL_DENIED`) are statuses of a transfer or a run, not refusals.",
    "",
    "| code | what it means | what to do |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
