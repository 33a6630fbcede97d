import type { ErrorCode } from "@/lib/contract/error";
import type { PermissionType } from "@/lib/contract/permissions";

/** The API reference at /docs: made from the OpenAPI document when Sluice starts, and the same for everybody. */
export interface ReferenceView {
  /** Address of the API with its version, e.g. `https://sluice.example.com/platform/v1`. */
  baseUrl: string;
  /** The path of it: the page's own calls stay on its own origin. */
  basePath: string;
  openApiUrl: string;
  chapters: ReferenceChapter[];
  assistants: AssistantsView;
}

/** What the MCP server offers, for the guide to assistants. */
export interface AssistantsView {
  /** Its address, e.g. `https://sluice.example.com/mcp`. */
  mcpUrl: string;
  tools: ToolView[];
}

export interface ToolView {
  name: string;
  /** What a caller does with it, in a few words. */
  title: string;
  /** Null: every caller sees it. */
  permission: PermissionType | null;
  /** True where it does nothing itself but say what to do, and at which page. */
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
  /** What stands in `data` of the answer. */
  answerFields: FieldView[];
  successes: { status: number; when: string }[];
  errors: { status: number; code: ErrorCode }[];
  samples: { curl: string; typescript: string; answer: { status: number; text: string } };
  trial: TrialView;
}

export interface FieldView {
  name: string;
  /** In words: `uuid`, `integer, from 100`, `list of date or null`. */
  type: string;
  isRequired: boolean;
  /** Plain Markdown; null where the name says it all. */
  description: string | null;
  /** All that it may be; empty where that is not a list. */
  values: string[];
  /** What it is when it is left out, as JSON; null where that is nothing. */
  defaultValue: string | null;
  /** A regular expression that it matches; null without one. */
  pattern: string | null;
  /** The fields of an object, of the items of a list, or the shapes among which to choose. */
  children: FieldView[];
}

/** How the page lets a reader try an operation. */
export interface TrialView {
  fields: TrialField[];
  isIdempotent: boolean;
  /** The body field that makes it a dry run; null where there is none. */
  dryRunField: string | null;
}

export interface TrialField {
  name: string;
  place: "path" | "query" | "body";
  /** How its text becomes a value. */
  kind: "TEXT" | "NUMBER" | "BOOLEAN" | "LIST" | "JSON";
  isRequired: boolean;
  /** For a selection; empty where anything may be typed. */
  choices: string[];
  /** From the example. Empty for ids: those of the example are nobody's. */
  initial: string;
  placeholder: string;
}
