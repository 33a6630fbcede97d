import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { type BarePlan, type BareStatement, withKeyHash } from "@/proof/bench/api/bare-runner";
import type { BenchDatabase } from "@/proof/bench/arrange";
import type { LoadOptions } from "@/proof/bench/measurement";
import { runPgbench } from "@/proof/bench/pgbench";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** As many scripts, each with its own key, so that clients do not all wait for one key's request counter. */
const KEYS = 8;

/**
 * The statements of one operation as pgbench sends them: with their values inlined, except for ids of created rows,
 * which are generated each time.
 * @returns the milliseconds of each iteration
 */
export async function measureByPgbench(
  database: BenchDatabase,
  { folder, plan, operation }: { folder: string; plan: BarePlan; operation: string },
  options: LoadOptions,
): Promise<number[]> {
  const own = join(folder, operation);
  await mkdir(own, { recursive: true });
  const statements = plan.operations[operation] ?? [];
  const types = await readTypes(database, statements);
  const known = new Set(plan.knownIds);
  const scripts: string[] = [];
  for (const [index, keyHash] of plan.keyHashes.slice(0, KEYS).entries()) {
    const script = `${index}.sql`;
    const lines = statements.map((statement, place) => toLine(statement, types[place] ?? [], keyHash, known));
    await writeFile(join(own, script), lines.join("\n"));
    scripts.push(script);
  }
  const runs = await runPgbench(database, { folder: own, scripts, logPrefix: "run" }, options);
  return runs.map(({ ms }) => ms);
}

/** Of the parameters of each statement, as PostgreSQL sees them. */
async function readTypes(
  { application }: BenchDatabase,
  statements: readonly BareStatement[],
): Promise<string[][]> {
  const client = new pg.Client(application);
  await client.connect();
  const types: string[][] = [];
  for (const [index, { text, values }] of statements.entries()) {
    if (values.length === 0) {
      types.push([]);
      continue;
    }
    await client.query(`prepare of_bench_${index} as ${text}`);
    const { rows } = await client.query<{ types: string[] }>(
      "select parameter_types::text[] as types from pg_prepared_statements where name = $1",
      [`of_bench_${index}`],
    );
    types.push(rows[0]?.types ?? []);
  }
  await client.end();
  return types;
}

function toLine(
  { text, values }: BareStatement,
  types: readonly string[],
  keyHash: string,
  known: ReadonlySet<string>,
): string {
  const line = text.replace(/\$(\d+)/g, (_, number) => {
    const place = Number(number) - 1;
    const value = values[place];
    return value === undefined ? "null" : `(${expressionOf(value, keyHash, known)})::${types[place]}`;
  });
  return `${line.trim()};`;
}

function expressionOf(value: BareStatement["values"][number], keyHash: string, known: ReadonlySet<string>) {
  if ("$date" in value) return textOf(value.$date);
  if ("$hex" in value) return `'\\x${value.$hex}'`;
  if ("$keyed" in value) return textOf(withKeyHash(value.$keyed, keyHash));
  if ("$version" in value) throw new Error("pgbench does not count versions");
  return plainOf(value.$plain, known);
}

function plainOf(value: unknown, known: ReadonlySet<string>): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `array[${value.map((each) => plainOf(each, known)).join(", ")}]`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const fresh = [...new Set(text.match(UUID))].filter((id) => !known.has(id));
  return fresh.reduce(
    (expression, id) => `replace(${expression}, '${id}', gen_random_uuid()::text)`,
    textOf(text),
  );
}

/** In hexadecimal: pgbench takes a colon in a text for a variable. */
function textOf(text: string): string {
  return `convert_from('\\x${Buffer.from(text, "utf8").toString("hex")}', 'utf8')`;
}
