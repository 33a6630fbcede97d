/**
 * A new version migrates while the old one serves (docs/backup.md). Checks each statement of a new migration against
 * what would block the old version or break it.
 */
import { describe, expect, it } from "vitest";
import { splitStatements } from "@/lib/db/migration-files";
import { projectPath } from "@/lib/platform/project-path";
import { findServingProblems } from "@/lib/testing/rules/serving-rules";
import { readMigrationFiles } from "./migration-files";

/** The baseline creates a new database that nothing serves from yet. */
const FIRST_WHILE_SERVING = 101;

describe("migrations while the old version serves", () => {
  it("no new migration blocks the old version or removes what it uses without saying why it may", async () => {
    const files = await readMigrationFiles(projectPath("lib/db/migrations"));
    const found = files.filter(({ number }) => number >= FIRST_WHILE_SERVING).flatMap(findServingProblems);
    expect(
      found,
      "Change it, or say why it may: a comment `-- while serving: <reason>` right before the statement",
    ).toEqual([]);
  });

  it.each([
    "drop table transfers",
    "drop function reserve(uuid)",
    "alter table transfers drop column fails_with",
    "alter table transfers add column a int, drop column b",
    "alter table transfers rename column a to b",
    "alter table transfers rename to moves",
    "alter table transfers alter column attempts type bigint",
    "alter table transfers alter attempts set not null",
    "alter table transfers add column a integer not null",
    "alter table transfers add column a uuid default gen_random_uuid()",
    "alter table transfers add column a text generated always as (lower(description)) stored",
    "alter table transfers add constraint positive check (amount_in_cents > 0)",
    "alter table transfers add foreign key (a) references b (c)",
    "alter table transfers add constraint once unique (id)",
    "alter table transfers add check (a > 0) not valid;\nalter table transfers validate constraint a_check",
    "create index by_a on transfers (a)",
    "CREATE UNIQUE INDEX by_a\n  ON transfers (a)",
    "drop index by_a",
    "update transfers set attempts = 0",
    "delete from notices",
    "truncate notices",
    "lock table transfers",
    'revoke select on transfers from :"app_role"',
    "alter type arrival add attribute x int",
  ])("%s is refused", (sql) => {
    expect(findServingProblems({ name: "x", sql: `${sql};` })).toHaveLength(1);
  });

  it.each([
    "alter table transfers add column a integer",
    "alter table transfers add column a integer not null default 0",
    "alter table transfers add column a timestamptz default now()",
    "alter table transfers alter column a drop not null",
    "alter table transfers add constraint positive check (a > 0) not valid",
    "alter table transfers validate constraint positive",
    "create index concurrently by_a on transfers (a)",
    "create table t (a integer not null check (a > 0)); create index t_a on t (a); alter table t add unique (a)",
    "create or replace function f() returns void language plpgsql as $$ begin delete from notices; update t set a = 1; end $$",
    "-- drop table transfers;\nselect 'drop table transfers; update x'",
    "-- while serving: notices has a few thousand rows, and its index is made in milliseconds\ncreate index by_a on notices (a)",
  ])("%s is allowed", (sql) => {
    expect(findServingProblems({ name: "x", sql: `${sql};` })).toEqual([]);
  });

  it("statements are separated as PostgreSQL does", async () => {
    const sql = "select ';''';\n-- a; comment\nselect $x$ ; $$ ; $x$; /* ; */ select \";\" from T -- end;\n;";
    expect(splitStatements(sql).map(({ plain, line }) => [line, plain])).toEqual([
      [1, "select ';'''"],
      [3, "select $x$ ; $$ ; $x$"],
      [3, 'select ";" from t'],
    ]);
    // Every existing migration splits into statements that begin like one.
    for (const file of await readMigrationFiles(projectPath("lib/db/migrations"))) {
      for (const { plain } of splitStatements(file.sql))
        expect(plain, file.name).toMatch(
          /^(?:create|alter|drop|grant|revoke|insert|update|delete|select|comment|do|with|set|lock|analyze) /,
        );
    }
  });
});
