import { expect, it } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import { activityWords } from "@/lib/words/activity-words";
import { RULE_EVENT_WORDS } from "@/lib/words/rules/rule-event-words";

const database = useTestDatabase();

/** A kind that the database stores and no page knows makes the page fail once it happens. */
async function kindsIn(table: string): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = $1::regclass and conname = $1 || '_kind_check'`,
    [table],
  );
  return [...(rows[0]?.definition ?? "").matchAll(/'([A-Z_]+)'/g)].map(([, kind]) => kind ?? "");
}

it("every event that the database keeps of a rule has words on its page", async () => {
  const kinds = await kindsIn("rule_events");
  expect(kinds.length).toBeGreaterThan(8);
  expect(Object.keys(RULE_EVENT_WORDS).sort()).toEqual(kinds.sort());
});

it("every event of a rule or payee has words among what people did", async () => {
  const format = { money: String, moment: String };
  // A bank's return pauses a rule, not a person.
  for (const kind of (await kindsIn("rule_events")).filter((one) => one !== "PAUSED"))
    expect(
      activityWords({ kind: `RULE_${kind}` as "RULE_ACTIVATED", ruleName: "Payday", version: 2 }, format),
    ).toContain("Payday");
  for (const kind of await kindsIn("payee_events"))
    expect(activityWords({ kind: `PAYEE_${kind}` as "PAYEE_CONFIRMED", name: "Cedar" }, format)).toContain(
      "Cedar",
    );
});
