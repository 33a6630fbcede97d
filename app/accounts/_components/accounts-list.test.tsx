import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AccountsList } from "@/app/accounts/_components/accounts-list";
import { ACCOUNTS } from "@/app/design/_components/list-examples";

test("accounts not listed or drawn are counted and summed up, with a link", () => {
  const short = renderToStaticMarkup(<AccountsList view={ACCOUNTS} connected={null} />);
  expect(short).not.toContain("Show all");
  expect(short).not.toContain("together");
  const view = {
    ...ACCOUNTS,
    counts: { ...ACCOUNTS.counts, pods: 105 },
    podsTotalInCents: ACCOUNTS.podsTotalInCents + 1_000_000,
  };
  const long = renderToStaticMarkup(<AccountsList view={view} connected={null} />);
  expect(long).toContain('href="/accounts?only=pods"');
  expect(long).toContain("The first 5 of 105");
  expect(long).toContain("100 more hold $10,000.00 together.");
});

test("a section on its own is paged, and an empty page links back", () => {
  const search = { only: "pods", page: 2 } as const;
  const view = {
    ...ACCOUNTS,
    search,
    counts: { ...ACCOUNTS.counts, pods: 30 },
    incomeSources: [],
    outside: [],
    owed: [],
    previousHref: "/accounts?only=pods",
    nextHref: null,
    firstPosition: 26,
  };
  const page = renderToStaticMarkup(<AccountsList view={view} connected={null} />);
  expect(page).toContain("26 to 30 of 30");
  expect(page).toContain('href="/accounts?only=pods"');
  expect(page).not.toContain("drawn to scale");
  const empty = renderToStaticMarkup(<AccountsList view={{ ...view, pods: [] }} connected={null} />);
  expect(empty).toContain("No accounts on this page.");
});

test("owners see since when the bank's news is late, and nothing while it is complete", () => {
  const complete = renderToStaticMarkup(<AccountsList view={ACCOUNTS} connected={null} />);
  expect(complete).not.toContain("News from the bank");
  const bankNewsLateSince = ACCOUNTS.time.nowAt;
  const late = renderToStaticMarkup(
    <AccountsList view={{ ...ACCOUNTS, bankNewsLateSince }} connected={null} />,
  );
  expect(late).toContain("News from the bank is late since");
});

test("an account whose name looks the same as another one's says which", () => {
  const taxes = ACCOUNTS.pods.find(({ name }) => name === "Taxes")?.id ?? "";
  const alike = { kind: "PAYEE", name: "Taxes", otherId: "2", otherName: "Tаxes" } as const;
  const view = { ...ACCOUNTS, lookAlikes: { [taxes]: alike } };
  const list = renderToStaticMarkup(<AccountsList view={view} connected={null} />);
  expect(list).toContain("25% of each client payment. Taxes is not Tаxes (with Cyrillic letters).");
});
