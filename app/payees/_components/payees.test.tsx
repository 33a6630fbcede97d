import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { TIME } from "@/app/design/_components/approval-examples";
import { PayeeState } from "@/app/payees/_components/payee-state";
import { PayeesList, payeesTitle } from "@/app/payees/_components/payees-list";
import { eventTitle } from "@/app/payees/[id]/_components/payee-page";
import { ColumnMatch, withValue } from "@/app/payees/import/_components/column-match";
import { Imported } from "@/app/payees/import/_components/import-payees";
import { ImportPreview } from "@/app/payees/import/_components/import-preview";
import type { PayeeFileMatch } from "@/lib/contract/payees/payee-file";

const active = { state: "ACTIVE", changeIsWaiting: false } as const;
const waiting = { state: "WAITING", changeIsWaiting: false } as const;

describe("the title of the list", () => {
  it.each([
    [[], "No payees yet"],
    [[active], "One payee can be paid"],
    [[active, active, waiting], "One payee waits for confirmation"],
    [[{ ...active, changeIsWaiting: true }, waiting], "Two payees wait for confirmation"],
    [[{ state: "NEEDS_DETAILS", changeIsWaiting: false }], "No payee can be paid yet"],
  ] as const)("of %j is %s", (payees, title) => {
    expect(payeesTitle(payees)).toBe(title);
  });
});

describe("a long list of payees", () => {
  const payees = Array.from({ length: 101 }, (_, index) => ({
    ...active,
    id: `payee_${index}`,
    href: `/payees/payee_${index}`,
    name: `Supplier ${index}`,
    kind: "BUSINESS" as const,
    coolsOffUntil: null,
    accountNumberLast4: "6789",
    lastPaidAt: null,
    lookAlike:
      index === 1
        ? ({ kind: "ACCOUNT", name: "Supplier 1", otherId: "payee_l", otherName: "Supplier l" } as const)
        : null,
  }));
  const shown = (count: number, showsAll: boolean) =>
    renderToStaticMarkup(
      <PayeesList
        view={{
          payees: payees.slice(0, count),
          coolOff: { aboveInCents: 0, hours: 0 },
          viewer: { canChange: true },
          time: TIME,
        }}
        showsAll={showsAll}
      />,
    );

  it("says which name looks the same as another one", () => {
    expect(shown(3, false).match(/Supplier 1 is not Supplier l\./g)).toHaveLength(1);
  });

  it("shows its first hundred, says how many there are and offers all", () => {
    expect(shown(101, false)).toContain("100 of 101 payees");
    expect(shown(101, false)).toContain('href="/payees?show=all"');
    expect(shown(101, false)).not.toContain("Supplier 100");
  });

  it("shows every payee when asked for all, and when there are a hundred", () => {
    expect(shown(101, true)).toContain("Supplier 100");
    expect(shown(101, true)).not.toContain("Show all payees");
    expect(shown(100, false)).not.toContain("Show all payees");
  });
});

describe("the state of a payee", () => {
  it.each([
    [active, "Can be paid"],
    [waiting, "To be confirmed"],
    [{ ...active, changeIsWaiting: true }, "Change waits"],
    [{ state: "NEEDS_DETAILS", changeIsWaiting: false }, "Needs an account"],
    [{ state: "REMOVED", changeIsWaiting: false }, "Removed"],
  ] as const)("%j has the words %s", (payee, words) => {
    expect(renderToStaticMarkup(<PayeeState payee={payee} />)).toContain(words);
  });
});

it("the history says whether a program proposed it or a member added it", () => {
  expect(eventTitle({ kind: "PROPOSED", byKind: "API_KEY", byName: "agent" })).toBe("agent proposed it");
  expect(eventTitle({ kind: "PROPOSED", byKind: "MEMBER", byName: "Mara" })).toBe("Mara added it");
  expect(eventTitle({ kind: "DETAILS_GIVEN", byKind: "PAYEE", byName: "Ana" })).toBe(
    "The payee entered an account",
  );
});

it("an import lists every line that was not added, with its number and what is wrong", () => {
  const shown = renderToStaticMarkup(
    <Imported
      lines={[
        { line: 2, name: "Cedar", problem: null },
        { line: 3, name: "Harbor", problem: "The routing number must be nine digits." },
      ]}
    />,
  );
  expect(shown).toContain("1 payee was added");
  expect(shown).toContain("1 not added");
  expect(shown).toContain("Harbor");
  expect(shown).not.toContain("Cedar");
});

const MATCH: PayeeFileMatch = {
  hasHeader: true,
  columns: { name: 0, kind: 1 },
  kind: null,
  accountKind: null,
};

it("a column, a value for all lines and neither replace each other in a match", () => {
  const forAll = withValue(MATCH, "kind", "=INDIVIDUAL");
  expect(forAll).toEqual({ ...MATCH, columns: { name: 0 }, kind: "INDIVIDUAL" });
  expect(withValue(forAll, "kind", "2")).toEqual({ ...MATCH, columns: { name: 0, kind: 2 } });
  expect(withValue(forAll, "accountKind", "=SAVINGS").accountKind).toBe("SAVINGS");
  expect(withValue(MATCH, "name", "").columns).toEqual({ kind: 1 });
});

it("the columns of a file are offered by their names or numbers, with an example", () => {
  const shown = renderToStaticMarkup(
    <ColumnMatch
      columns={[
        { name: "Vendor", example: "Cedar" },
        { name: null, example: "" },
      ]}
      match={MATCH}
      onChange={() => {}}
    />,
  );
  expect(shown).toContain("Vendor, e.g. Cedar");
  expect(shown).toContain("Column 2");
  expect(shown).toContain("All are businesses");
});

it("a preview shows the lines that need a person first", () => {
  const shown = renderToStaticMarkup(
    <ImportPreview
      payees={[
        { line: 2, name: "Cedar", email: null, account: null, problem: null },
        { line: 3, name: "", email: null, account: null, problem: "It has 1 field, not 7." },
      ]}
    >
      {null}
    </ImportPreview>,
  );
  expect(shown).toContain("1 payee to import");
  expect(shown).toContain("1 with problems are left out");
  expect(shown.indexOf("It has 1 field")).toBeLessThan(shown.indexOf("Cedar"));
});
