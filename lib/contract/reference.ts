import type { ErrorCode } from "@/lib/contract/error";
import type { PermissionType } from "@/lib/contract/permissions";

/** The API reference at /docs: built from the OpenAPI document when Sluice starts, the same for everyone. */
export interface ReferenceView {
  /** Address of the API with its version, e.g. `https://sluice.example.com/platform/v1`. */
  baseUrl: string;
  /** The path of it: the page's own calls stay on its own origin. */
  basePath: string;
  openApiUrl: string;
  chapters: ReferenceChapter[];
  assistants: AssistantsView;
}

/** The MCP server's offer, for the guide to assistants. */
export interface AssistantsView {
  /** Its address, e.g. `https://sluice.example.com/mcp`. */
  mcpUrl: string;
  tools: ToolView[];
}

export interface ToolView {
  name: string;
  /** A title: what a caller does with it. */
  title: string;
  /** Null: every caller sees it. */
  permission: PermissionType | null;
  /** True for a tool that only explains what to do, and on which page. */
  isGuide: boolean;
}

export interface ReferenceChapter {
  title: string;
  description: string;
  operations: OperationView[];
}

export interface OperationView {
  /** Also the last part of its address: /docs/<operationId>. */
  operationId: string;
  method: "GET" | "POST" | "PUT";
  /** Below `basePath`, with `{name}` for path fields. */
  path: string;
  summary: string;
  /** Plain Markdown: paragraphs and `code`. */
  description: string;
  /** Null: any valid key. */
  permission: PermissionType | null;
  headers: FieldView[];
  pathFields: FieldView[];
  queryFields: FieldView[];
  bodyFields: FieldView[];
  /** The `data` of the answer. */
  answerFields: FieldView[];
  successes: { status: number; when: string }[];
  errors: { status: number; code: ErrorCode }[];
  samples: {
    curl: string;
    typescript: string;
    python: string;
    go: string;
    answer: { status: number; text: string };
  };
  trial: TrialView;
}

export interface FieldView {
  name: string;
  /** In words: `uuid`, `integer, from 100`, `list of date or null`. */
  type: string;
  isRequired: boolean;
  /** Plain Markdown; null if the name says it all. */
  description: string | null;
  /** All allowed values; empty without a closed list. */
  values: string[];
  /** The default, as JSON; null without one. */
  defaultValue: string | null;
  /** A regular expression for it; null without one. */
  pattern: string | null;
  /** The fields of an object, of a list's items, or the alternative shapes. */
  children: FieldView[];
}

/** How the page lets a reader try an operation. */
export interface TrialView {
  fields: TrialField[];
  isIdempotent: boolean;
  /** The body field that makes it a dry run; null without one. */
  dryRunField: string | null;
}

export interface TrialField {
  name: string;
  place: "path" | "query" | "body";
  /** How its text becomes a value. */
  kind: "TEXT" | "NUMBER" | "BOOLEAN" | "LIST" | "JSON";
  isRequired: boolean;
  /** For a selection; empty for free text. */
  choices: string[];
  /** From the example. Empty for ids: those of the example do not exist. */
  initial: string;
  placeholder: string;
}
