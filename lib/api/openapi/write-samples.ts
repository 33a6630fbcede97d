import type { OperationView } from "@/lib/contract/reference";

interface SampledOperation {
  operationId: string;
  method: OperationView["method"];
  baseUrl: string;
  path: string;
  /** By name, as sent over the wire. */
  pathFields: Record<string, unknown>;
  queryFields: Record<string, unknown>;
  /** Null without a body. */
  body: unknown;
  isIdempotent: boolean;
}

/** Read from the environment: a key inside a sample ends up in someone's shell history. */
const KEY_VARIABLE = "SLUICE_KEY";

/** Names the intent, so that a retry sends it again. A key generated per call would protect nothing. */
const EXAMPLE_INTENT = "one-per-intent-kept-for-retries";

const TIMEOUT_SECONDS = 30;

/** The same request in each language of the reference. */
export function writeSamples(sample: SampledOperation): Omit<OperationView["samples"], "answer"> {
  return {
    curl: writeCurl(sample),
    typescript: writeTypeScript(sample),
    python: writePython(sample),
    go: writeGo(sample),
  };
}

function writeCurl(sample: SampledOperation): string {
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

const quoteForShell = (text: string) =>
  /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** With the client of this project. */
function writeTypeScript(sample: SampledOperation): string {
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
    `  baseUrl: "${sample.baseUrl}",`,
    `  apiKey: process.env.${KEY_VARIABLE} ?? "",`,
    "});",
    "",
    `const { data } = await sluice.${sample.operationId}(${given}${sample.isIdempotent ? `, { idempotencyKey: "${EXAMPLE_INTENT}" }` : ""});`,
  ].join("\n");
}

/** JSON without quotes around keys, as written by hand. */
const toLiteral = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");

/** With `requests`, which most programs have. */
function writePython(sample: SampledOperation): string {
  const { method, isIdempotent, body } = sample;
  return [
    "import os",
    "",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(fillUrl(sample))},`,
    "    headers={",
    `        "Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",`,
    ...(isIdempotent ? [`        "idempotency-key": "${EXAMPLE_INTENT}",`] : []),
    "    },",
    ...(body === null ? [] : [`    json=${toPython(body, "    ")},`]),
    `    timeout=${TIMEOUT_SECONDS},`,
    ")",
    "print(response.status_code, response.json())",
  ].join("\n");
}

/** A JSON value as a Python literal: their strings and numbers are the same. */
function toPython(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  const wrap = (open: string, lines: string[], close: string) =>
    lines.length === 0
      ? open + close
      : [open, ...lines.map((line) => `${inner}${line},`), indent + close].join("\n");
  if (Array.isArray(value))
    return wrap(
      "[",
      value.map((one) => toPython(one, inner)),
      "]",
    );
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${toPython(one, inner)}`,
  );
  return wrap("{", lines, "}");
}

/** With the standard library. */
function writeGo(sample: SampledOperation): string {
  const { method, isIdempotent, body } = sample;
  const imports = ["fmt", "io", "log", "net/http", "os", ...(body === null ? [] : ["strings"]), "time"];
  const fail = ["\tif err != nil {", "\t\tlog.Fatal(err)", "\t}"];
  const headers = [
    `"Authorization", "Bearer "+os.Getenv("${KEY_VARIABLE}")`,
    ...(body === null ? [] : ['"Content-Type", "application/json"']),
    ...(isIdempotent ? [`"idempotency-key", "${EXAMPLE_INTENT}"`] : []),
  ];
  return [
    "package main",
    "",
    "import (",
    ...imports.map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...(body === null ? [] : [`\tbody := strings.NewReader(${quoteForGo(JSON.stringify(body, null, 2))})`]),
    `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(fillUrl(sample))}, ${body === null ? "nil" : "body"})`,
    ...fail,
    ...headers.map((header) => `\trequest.Header.Set(${header})`),
    `\tclient := http.Client{Timeout: ${TIMEOUT_SECONDS} * time.Second}`,
    "\tresponse, err := client.Do(request)",
    ...fail,
    "\tdefer response.Body.Close()",
    "\tanswer, err := io.ReadAll(response.Body)",
    ...fail,
    "\tfmt.Println(response.Status, string(answer))",
    "}",
  ].join("\n");
}

/** As it is, unless it contains the character that would end it. */
const quoteForGo = (text: string) => (text.includes("`") ? JSON.stringify(text) : `\`${text}\``);

function fillUrl({ baseUrl, path, pathFields, queryFields }: SampledOperation): string {
  let filled = `${baseUrl}${path}`;
  for (const [name, value] of Object.entries(pathFields)) filled = filled.replace(`{${name}}`, String(value));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryFields)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}
