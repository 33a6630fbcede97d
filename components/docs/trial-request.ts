import type { OperationView, TrialField, TrialView } from "@/lib/contract/views/reference-view";

export interface TrialInput {
  method: OperationView["method"];
  basePath: string;
  path: string;
  trial: TrialView;
  /** Text of each field by name; empty means left out. */
  values: Readonly<Record<string, string>>;
  isDryRun: boolean;
}

export interface TrialRequest {
  /** Path with query, on the page's own origin. */
  url: string;
  body: string | null;
}

/**
 * What is sent for what was typed. Only what the browser itself could not send is refused here: the API names everything
 * else that is wrong, and that is part of what a reader tries.
 * @returns the request, or the field that is in the way and why
 */
export function buildTrialRequest(input: TrialInput): TrialRequest | { field: string; problem: string } {
  const { method, basePath, path, trial, values, isDryRun } = input;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let filledPath = path;
  for (const field of trial.fields) {
    const text = values[field.name]?.trim() ?? "";
    if (text === "") {
      if (field.place === "path") return { field: field.name, problem: "The address needs it." };
      continue;
    }
    if (field.place === "path") filledPath = filledPath.replace(`{${field.name}}`, encodeURIComponent(text));
    else if (field.place === "query") appendQuery(query, field, text);
    else {
      const value = readValue(field, text);
      if (value === undefined) return { field: field.name, problem: "This is not JSON." };
      body[field.name] = value;
    }
  }
  if (trial.dryRunField) body[trial.dryRunField] = isDryRun;
  const search = query.size > 0 ? `?${query}` : "";
  return {
    url: `${basePath}${filledPath}${search}`,
    body: method === "GET" ? null : JSON.stringify(body, null, 2),
  };
}

function appendQuery(query: URLSearchParams, field: TrialField, text: string): void {
  for (const one of field.kind === "LIST" ? text.split(",") : [text]) query.append(field.name, one.trim());
}

/** Undefined for what cannot be read. What is no number is sent as the text that it is, so that the API says so. */
function readValue(field: TrialField, text: string): unknown {
  if (field.kind === "LIST") return text.split(",").map((one) => one.trim());
  if (field.kind === "BOOLEAN") return text === "true" ? true : text === "false" ? false : text;
  if (field.kind === "NUMBER") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (field.kind === "TEXT") return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
