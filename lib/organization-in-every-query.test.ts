import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { useTestDatabase } from "@/lib/testing/database";

/**
 * Every SQL text that touches a table with organizations names the organization, or is listed here with the reason. Texts
 * are read from the sources, so that queries no test runs are covered; running ones are called by a stranger in
 * lib/api/tenancy.test.ts and app/tenancy.test.ts.
 */
const REASONS: Record<string, { statements: number; because: string }> = {
  "lib/core/work/forget-expired.ts": {
    statements: 5,
    because: "Housekeeping for all organizations: deletes what has expired.",
  },
  "lib/core/sandbox/require-nothing-invented.ts": {
    statements: 1,
    because: "The start beside a bank asks whether anything in the whole database was invented, not what.",
  },
  "lib/core/keys/gates.ts": {
    statements: 1,
    because: "A metric of the whole server: how many organizations, not which.",
  },
  "lib/core/ledger/own-bank-accounts.ts": {
    statements: 1,
    because: "A metric of the whole server: how long the oldest move is stuck, not whose.",
  },
  "lib/ports/bank/increase/accounts.ts": {
    statements: 1,
    because:
      "The start asks whether the key knows an account of this installation, whichever organization's.",
  },
  "lib/core/work/sealed-values.ts": {
    statements: 2,
    because:
      "Encrypts again what the whole server's secret encrypted: clients are registered with the server.",
  },
  "lib/core/work/read-due-ages.ts": {
    statements: 22,
    because: "Metrics of the whole process: how old the oldest due work is, in any organization.",
  },
  "lib/core/shared/write-once.ts": {
    statements: 1,
    because: "`insert … values` in the order of the columns: the first value is the organization.",
  },
  "lib/ports/bank/inbox.ts": {
    statements: 1,
    because: "A bank's list of events is one for the whole installation; notices name the organization.",
  },
  "lib/ports/bank/unread.ts": {
    statements: 2,
    because: "What cannot be read belongs to the bank's list: whose it is may be unknown until it is read.",
  },
  "lib/views/audit/read-audit-page.ts": {
    statements: 2,
    because: "Its condition is `searchConditions` (audit-search.ts), which begins with the organization.",
  },
  "lib/views/webhooks/endpoint-facts.ts": {
    statements: 1,
    because: "Its condition is the fragment `OF_ENDPOINT`, which begins with the organization.",
  },
  "lib/core/keys/connect-assistant.ts": {
    statements: 2,
    because: "A request for consent belongs to a browser until a member answers it.",
  },
  "lib/core/keys/oauth-clients.ts": {
    statements: 3,
    because:
      "Clients are registered with the server, before any organization knows them. The operator's command covers the whole server.",
  },
  "lib/core/keys/oauth-records.ts": {
    statements: 9,
    because: "Found by the hash of 256 random bits, which identifies the organization.",
  },
  "lib/core/sign-in/change-password.ts": {
    statements: 1,
    because: "A session belongs to a person, who may belong to several organizations.",
  },
  "lib/core/sign-in/end-session.ts": {
    statements: 3,
    because:
      "A session belongs to a person: found by their own user id. Signing out ends the session of the cookie.",
  },
  "lib/core/shared/known-browsers.ts": {
    statements: 1,
    because: "A session belongs to a person: found by their own user id.",
  },
  "lib/views/members/list-security.ts": {
    statements: 1,
    because: "A session belongs to a person: found by their own user id.",
  },
  "lib/core/sign-in/second-factors.ts": {
    statements: 1,
    because: "The caller's own session, found by its id and their own user id.",
  },
  "lib/core/sign-in/phone-code.ts": {
    statements: 1,
    because: "A code goes to a person's own phone: found by their own user id.",
  },
  "lib/core/sign-in/presence.ts": {
    statements: 1,
    because: "The caller's own session, whose id is in their encrypted cookie.",
  },
  "lib/views/notifications/read-notifications.ts": {
    statements: 1,
    because: "A device and its session belong to a person: found by their own user id.",
  },
  "lib/core/sign-in/read-session.ts": {
    statements: 1,
    because: "The session of the cookie, which determines the organization.",
  },
  "lib/core/sign-in/reset-member.ts": {
    statements: 1,
    because: "The operator's command: it ends every session of a person.",
  },
  "lib/core/sign-in/reset-password.ts": {
    statements: 1,
    because: "Every session of the person whose password it is.",
  },
  "lib/core/notifications/kinds/security.ts": {
    statements: 1,
    because: "Sessions named by the notices that the same transaction has claimed.",
  },
  "lib/core/sandbox/receiver.ts": {
    statements: 1,
    because: "The token in the address is all that a sender knows; it identifies the organization.",
  },
};

const root = dirname(projectPath("package.json"));
const database = useTestDatabase();
let tables: ReadonlySet<string>;
beforeAll(async () => {
  const { rows } = await database.ownerPool.query<{ tableName: string }>(
    `select table_name as "tableName" from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id'`,
  );
  tables = new Set(rows.map(({ tableName }) => tableName));
});

it("every SQL text over a table of organizations names the organization, or has a listed reason", () => {
  const found = new Map<string, number>();
  for (const { path, text } of sqlTexts()) {
    if (!/\borganization_id\b/.test(text)) found.set(path, (found.get(path) ?? 0) + 1);
  }
  // Counted, because a file with a reason may also contain queries without one.
  const expected = Object.entries(REASONS).map(([path, { statements }]) => [path, statements]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

it("finds as many texts as there are queries", () => {
  expect(tables.size).toBeGreaterThan(50);
  expect(sqlTexts().length).toBeGreaterThan(400);
});

/** Quoted texts that read or write a table with organizations. */
function sqlTexts(): { path: string; text: string }[] {
  return ["lib/core", "lib/views", "lib/api", "lib/db", "lib/platform", "lib/ports"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.(test|contract)\.ts$/.test(entry.name),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((path) =>
        textsIn(readFileSync(path, "utf8")).map((text) => ({ path: relative(root, path), text })),
      ),
  );
}

function textsIn(source: string): string[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return [...withoutComments.matchAll(/`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g)]
    .map(([, template, quoted]) => template ?? quoted ?? "")
    .filter((text) =>
      [...text.matchAll(/\b(?:from|join|update|into)\s+([a-z_]+)/g)].some(([, name = ""]) =>
        tables.has(name),
      ),
    );
}
