import { type MigrationFile, type Statement, splitStatements } from "@/lib/db/migration-files";

/** What a migration may not do while an older Sluice serves from the same tables (docs/backup.md). */
interface Rule {
  /** Matches a statement in lowercase with single spaces. The first group, if any, is the table. */
  refuses: RegExp;
  because: string;
}

const TABLE = String.raw`^alter table (?:only )?(?:if exists )?([\w".]+) .*`;
const NEW_COLUMN = String.raw`${TABLE}\badd column (?:if not exists )?[\w"]+ [^,]*`;

const RULES: Rule[] = [
  {
    refuses: /^drop (?:table|view|materialized view|function|procedure|type|domain|schema|sequence)\b/,
    because: "the older version may use it: drop it in a release after the last one that does",
  },
  {
    refuses: new RegExp(String.raw`${TABLE}\bdrop column\b`),
    because: "the older version reads it: drop it in a later release",
  },
  {
    refuses: new RegExp(String.raw`${TABLE}\brename\b`),
    because: "the older version uses the old name: add the new one beside it",
  },
  {
    refuses: /^alter (?:function|type|schema|view|sequence|index) /,
    because: "the older version expects it unchanged",
  },
  {
    refuses: new RegExp(String.raw`${TABLE}\balter (?:column )?[\w"]+ (?:set data )?type\b`),
    because: "it rewrites the table and blocks reads: add a column beside it",
  },
  {
    refuses: new RegExp(String.raw`${TABLE}\bset not null\b`),
    because:
      "it scans the whole table and blocks reads, and the older version may write null: add a check NOT VALID, validate it in a later file",
  },
  {
    refuses: new RegExp(String.raw`${NEW_COLUMN}\bnot null\b(?![^,]*\bdefault\b)`),
    because: "the older version writes rows without it: give it a default",
  },
  {
    refuses: new RegExp(String.raw`${NEW_COLUMN}\bdefault (?!now\(\))[^,]*\(`),
    because: "a default computed for each row rewrites the table and blocks reads meanwhile",
  },
  {
    refuses: new RegExp(String.raw`${NEW_COLUMN}\b(?:stored|identity|serial|bigserial)\b`),
    because: "it rewrites the table and blocks reads meanwhile",
  },
  {
    refuses: new RegExp(
      String.raw`${TABLE}\badd (?:constraint [\w"]+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)`,
    ),
    because: "it scans the whole table and blocks writes: add it NOT VALID, and validate it in its own file",
  },
  {
    refuses: new RegExp(
      String.raw`${TABLE}\badd (?:constraint [\w"]+ )?(?:unique|primary key)\b(?! using index)`,
    ),
    because:
      "it creates an index and blocks writes: create the index CONCURRENTLY first, then add it USING INDEX",
  },
  {
    refuses: /^create (?:unique )?index (?!concurrently).*? on (?:only )?([\w".]+)/,
    because:
      "nobody may write while it is made: make it CONCURRENTLY, in a file that begins with `-- outside a transaction`",
  },
  {
    refuses: /^drop index (?!concurrently)/,
    because: "it waits for every session, and every session for it: drop it CONCURRENTLY",
  },
  {
    refuses: /^(?:lock|truncate|cluster|reindex|vacuum full)\b/,
    because: "it blocks all use of the table meanwhile",
  },
  {
    refuses: /^(?:update|delete from) (?:only )?([\w".]+)/,
    because: "it locks every row that it writes until the end of the file: let due work do it in batches",
  },
  { refuses: /^revoke .* from :/, because: "the older version may need it: revoke it in a later release" },
];

/** A comment before the statement that says why it may do so anyway. */
const MARKER = /^-- while serving: \S.{19,}/;

/**
 * The statements of a migration that would block or break an older Sluice that is serving. Tables that the file
 * itself creates are exempt. Replaced functions are not analyzed: their author keeps what the older version calls.
 * @returns sentences; none if all is well
 */
export function findServingProblems({ name, sql }: Pick<MigrationFile, "name" | "sql">): string[] {
  const statements = splitStatements(sql);
  const own = new Set(
    statements.flatMap(
      ({ plain }) => /^create (?:unlogged )?table (?:if not exists )?([\w".]+)/.exec(plain)?.[1] ?? [],
    ),
  );
  const altered = new Set(
    statements.flatMap(({ plain }) => (/\bnot valid\b/.test(plain) ? [tableOf(plain)] : [])),
  );
  return statements.flatMap((statement) => {
    const because = isExcused(statement) ? undefined : findReason(statement.plain, own, altered);
    return because === undefined
      ? []
      : [`${name}:${statement.line}: ${statement.plain.slice(0, 80)}: ${because}`];
  });
}

function findReason(
  plain: string,
  own: ReadonlySet<string>,
  altered: ReadonlySet<string>,
): string | undefined {
  if (/\bvalidate constraint\b/.test(plain) && altered.has(tableOf(plain)))
    return "validating it in the same file blocks reads of the table: validate it in the next file";
  return RULES.find(({ refuses }) => {
    const found = refuses.exec(plain);
    return found && !own.has(found[1] ?? "");
  })?.because;
}

const tableOf = (plain: string) => /^alter table (?:only )?(?:if exists )?([\w".]+)/.exec(plain)?.[1] ?? "";
const isExcused = ({ comments }: Statement) => comments.some((comment) => MARKER.test(comment));
