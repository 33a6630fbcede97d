import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** One numbered SQL file. */
export interface MigrationFile {
  number: number;
  /** `0001_accounts.sql` */
  name: string;
  sql: string;
  /** Of the content with LF line endings, so that checkouts on every system agree. */
  sha256: string;
  /**
   * The file begins with `-- outside a transaction`: it creates and drops indexes CONCURRENTLY, on tables that must not be
   * locked for long.
   */
  isConcurrent: boolean;
}

/** Tokens of a migration: comments, quoted text, dollar-quoted bodies, everything else. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|\s+|[^\s;'"$/-]+|./g;

const emptyStatement = (): Statement => ({ plain: "", sql: "", comments: [], line: 0 });

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

export type AppliedMigration = Pick<MigrationFile, "number" | "name" | "sha256">;

/**
 * The migrations of a folder in numerical order.
 * @throws Error if an `.sql` file is not named `NNNN_name.sql`, or two have the same number
 */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  const files = await Promise.all(names.map((name) => readMigrationFile(directory, name)));
  const seen = new Map<number, string>();
  for (const { number, name } of files) {
    const other = seen.get(number);
    if (other) throw new Error(`Two migrations have the same number: ${other} and ${name}.`);
    seen.set(number, name);
  }
  return files;
}

async function readMigrationFile(directory: string, name: string): Promise<MigrationFile> {
  const number = NAME.exec(name)?.[1];
  if (!number) throw new Error(`The migration ${name} must be named like 0001_accounts.sql.`);
  const sql = (await readFile(join(directory, name), "utf8")).replaceAll("\r\n", "\n");
  return {
    number: Number(number),
    name,
    sql,
    sha256: createHash("sha256").update(sql).digest("hex"),
    isConcurrent: sql.startsWith("-- outside a transaction"),
  };
}

/** One statement of a migration, without its semicolon, with the comments before it. */
export interface Statement {
  /** Without comments, in lowercase, whitespace as single spaces; strings and bodies stay unchanged. */
  plain: string;
  sql: string;
  comments: string[];
  /** Of its first word, from 1. */
  line: number;
}

/** Splits a file as psql does: a semicolon inside a string or a body ends nothing. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let open = emptyStatement();
  let line = 1;
  const close = () => {
    if (open.plain.trim() !== "")
      statements.push({ ...open, plain: open.plain.trim(), sql: open.sql.trim() });
    open = emptyStatement();
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ";") close();
    else if (token.startsWith("--") || token.startsWith("/*")) open.comments.push(token);
    else {
      if (open.plain === "" && token.trim() !== "") open.line = line;
      open.sql += token;
      if (/^\s+$/.test(token)) open.plain += open.plain === "" ? "" : " ";
      else open.plain += /^['"$]/.test(token) ? token : token.toLowerCase();
    }
    line += token.split("\n").length - 1;
  }
  close();
  return statements;
}
