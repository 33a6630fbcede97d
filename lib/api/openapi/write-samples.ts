import type { OperationView } from "@/lib/contract/views/reference-view";

interface SampledOperation {
  operationId: string;
  method: OperationView["method"];
  url: string;
  /** By name, as they go over the wire. */
  pathFields: Record<string, unknown>;
  queryFields: Record<string, unknown>;
  /** Null where there is none. */
  body: unknown;
  isIdempotent: boolean;
}

/** The key comes from the environment: a sample with a key in it is a key in somebody's shell history. */
const KEY_VARIABLE = "SLUICE_KEY";
/** Names what is intended, so that a retry sends it again. One that is made anew for each call protects from nothing. */
const EXAMPLE_INTENT = "one-per-intent-kept-for-retries";

/** A request as a line for the shell. */
export function writeCurl(sample: SampledOperation): string {
  const { method, isIdempotent, body } = sample;
  const headers = [`-H "Authorization: Bearer $${KEY_VARIABLE}"`];
  if (body !== null) headers.push('-H "Content-Type: application/json"');
  if (isIdempotent) headers.push(`-H "idempotency-key: ${EXAMPLE_INTENT}"`);
  const parts = [
    `curl ${quoteForShell(fillUrl(sample))}`,
    ...(method === "PUT" ? ["-X PUT"] : []),
    ...headers,
    ...(body === null ? [] : [`-d ${quoteForShell(JSON.stringify(body, null, 2)).replaceAll("\n", "\n  ")}`]),
  ];
  return parts.join(" \\\n  ");
}

/** The same with the client of this project. */
export function writeTypeScript(sample: SampledOperation, baseUrl: string): string {
  const input = {
    ...sample.pathFields,
    ...sample.queryFields,
    ...(typeof sample.body === "object" ? sample.body : null),
  };
  const given = Object.keys(input).length > 0 ? toLiteral(input) : "";
  return [
    'import { Sluice } from "@sluice/client";',
    "",
    "const sluice = new Sluice({",
    `  baseUrl: "${baseUrl}",`,
    `  apiKey: process.env.${KEY_VARIABLE} ?? "",`,
    "});",
    "",
    `const { data } = await sluice.${sample.operationId}(${given}${sample.isIdempotent ? `, { idempotencyKey: "${EXAMPLE_INTENT}" }` : ""});`,
  ].join("\n");
}

function fillUrl({ url, pathFields, queryFields }: SampledOperation): string {
  let filled = url;
  for (const [name, value] of Object.entries(pathFields)) filled = filled.replace(`{${name}}`, String(value));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryFields)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

const quoteForShell = (text: string) =>
  /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** JSON with the quotes of its keys left out, as one writes it by hand. */
const toLiteral = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
