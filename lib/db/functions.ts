import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { hasCode } from "@/lib/platform/error-code";

/** The present text of one function; for a trigger function, with its triggers. */
export interface FunctionFile {
  /** Below `functions/`: `transfers/create_transfers.sql`. */
  path: string;
  /** `create_transfers`, the name of the file. */
  name: string;
  sql: string;
  /** Of the content with LF line endings, so that checkouts on every system agree. */
  sha256: string;
}

interface AppliedFunction {
  /** As PostgreSQL writes it: `create_transfers(jsonb)`. */
  signature: string;
  path: string;
  sha256: string;
}

/** psql's syntax for a variable that holds an identifier. */
const ROLE_TOKEN = ':"app_role"';
const FILE = /^[a-z0-9_]+\.sql$/;
const COMMENT = /^functions\/(\S+) ([0-9a-f]{64})$/;
/** Argument names and the return type cannot be replaced. */
const INVALID_FUNCTION_DEFINITION = "42P13";
/** With other arguments it would exist beside the old one, and a grant by name alone would be ambiguous. */
const AMBIGUOUS_FUNCTION = "42725";

/**
 * Every function below `<directory>/<module>/`, each after those that it calls.
 * @throws Error if a file does not begin `create or replace function <its name>`, or two have the same name
 */
export async function readFunctionFiles(directory: string): Promise<FunctionFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const modules = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const paths = await Promise.all(
    modules.sort().map(async (module) => {
      const names = await readdir(join(directory, module));
      return names.filter((name) => name.endsWith(".sql")).map((name) => `${module}/${name}`);
    }),
  );
  const files = await Promise.all(paths.flat().map((path) => readFunctionFile(directory, path)));
  const byName = new Map<string, FunctionFile>();
  for (const file of files) {
    const other = byName.get(file.name);
    if (other) throw new Error(`Two files hold the function ${file.name}: ${other.path} and ${file.path}.`);
    byName.set(file.name, file);
  }
  return inOrderOfCalls(byName);
}

async function readFunctionFile(directory: string, path: string): Promise<FunctionFile> {
  const name = path.slice(path.indexOf("/") + 1, -".sql".length);
  const sql = (await readFile(join(directory, path), "utf8")).replaceAll("\r\n", "\n");
  const code = sql.replace(/^--.*\n/gm, "").trimStart();
  if (!FILE.test(`${name}.sql`) || !code.startsWith(`create or replace function ${name}(`))
    throw new Error(`functions/${path} must begin with "create or replace function ${name}(".`);
  return { path, name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
}

/** PostgreSQL resolves what an SQL function calls when it is created. Circles keep the order of the files. */
function inOrderOfCalls(byName: ReadonlyMap<string, FunctionFile>): FunctionFile[] {
  const ordered = new Set<FunctionFile>();
  const seen = new Set<FunctionFile>();
  const visit = (file: FunctionFile) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, called] of file.sql.matchAll(/\b(\w+)\(/g)) {
      const other = byName.get(called ?? "");
      if (other) visit(other);
    }
    ordered.add(file);
  };
  for (const file of byName.values()) visit(file);
  return [...ordered];
}

/**
 * Brings the functions to their present text inside the caller's transaction: applies new and changed files, and drops
 * functions whose file is gone or whose arguments changed. A comment on each function names its file and hash, so no
 * table records what was applied, and a restored database needs none.
 * @param client connected as the owner of the database, in a transaction
 * @returns the paths of the files that were applied now
 * @throws Error naming the file that PostgreSQL rejected, with its error as cause
 */
export async function applyFunctions(
  client: pg.Client,
  files: readonly FunctionFile[],
  applicationRole: string,
): Promise<string[]> {
  const before = await readAppliedFunctions(client);
  const pending = files.filter(
    (file) => !before.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256),
  );
  const current = new Set<string>();
  for (const file of files) if (!pending.includes(file)) current.add(signatureOf(before, file.path));
  for (const file of pending) {
    const sql = file.sql.replaceAll(ROLE_TOKEN, pg.escapeIdentifier(applicationRole));
    current.add(await applyFunction(client, file, sql));
  }
  for (const { signature } of before.filter((applied) => !current.has(applied.signature)))
    await dropFunction(client, signature);
  return pending.map(({ path }) => path);
}

/** Only functions that come from a file; those of a migration or an operator have no such comment. */
async function readAppliedFunctions(client: pg.Client): Promise<AppliedFunction[]> {
  const { rows } = await client.query<{ signature: string; comment: string }>(`
    select p.oid::regprocedure::text as signature, d.description as comment
      from pg_proc p join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass
     where p.pronamespace = 'public'::regnamespace`);
  return rows.flatMap(({ signature, comment }) => {
    const [, path, sha256] = COMMENT.exec(comment) ?? [];
    return path && sha256 ? [{ signature, path, sha256 }] : [];
  });
}

const signatureOf = (applied: readonly AppliedFunction[], path: string) =>
  applied.find((one) => one.path === path)?.signature ?? "";

/** @returns its present signature */
async function applyFunction(client: pg.Client, file: FunctionFile, sql: string): Promise<string> {
  const known = await listSignatures(client, file.name);
  await client.query("savepoint one_function");
  try {
    await client.query(sql);
  } catch (error) {
    if (!hasCode(error, INVALID_FUNCTION_DEFINITION, AMBIGUOUS_FUNCTION)) throw failed(file, error);
    await client.query("rollback to savepoint one_function");
    for (const signature of known) await dropFunction(client, signature);
    await client.query(sql).catch((reason: unknown) => {
      throw failed(file, reason);
    });
  }
  await client.query("release savepoint one_function");
  const now = await listSignatures(client, file.name);
  const signature = now.find((one) => !known.includes(one)) ?? now[0];
  if (signature === undefined) throw failed(file, new Error(`it makes no function ${file.name}`));
  // With other arguments it is another function to PostgreSQL, and the old one would still be called.
  for (const old of now) if (old !== signature) await dropFunction(client, old);
  await dropTriggers(client, signature, file.sql);
  const comment = pg.escapeLiteral(`functions/${file.path} ${file.sha256}`);
  await client.query(`comment on function ${signature} is ${comment}`);
  return signature;
}

async function listSignatures(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
      where pronamespace = 'public'::regnamespace and proname = $1 order by oid`,
    [name],
  );
  return rows.map(({ signature }) => signature);
}

/** Drops its triggers, too; any other dependency makes PostgreSQL refuse and fails the start. */
async function dropFunction(client: pg.Client, signature: string): Promise<void> {
  await dropTriggers(client, signature, "");
  await client.query(`drop function if exists ${signature}`);
}

/** Drops triggers that the present text of their function no longer creates. */
async function dropTriggers(client: pg.Client, signature: string, sql: string): Promise<void> {
  const { rows } = await client.query<{ name: string; drop: string }>(
    `select tgname as name, format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop
       from pg_trigger where tgfoid = to_regprocedure($1) and not tgisinternal`,
    [signature],
  );
  for (const { name, drop } of rows)
    if (!new RegExp(`^create or replace trigger ${name}\\b`, "m").test(sql)) await client.query(drop);
}

const failed = (file: FunctionFile, cause: unknown) =>
  new Error(`functions/${file.path} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
