import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EndingRuns } from "@/app/rules/[id]/_components/ending-runs";
import type { WaitingRunView } from "@/lib/views/rules/list-ending-runs";

const run: WaitingRunView = {
  id: "1",
  href: "/?approvalTransferId=1",
  requesterKind: "API_KEY",
  requesterName: "zapier-invoices",
  amountInCents: 360_000,
  version: 3,
};
const textOf = (count: number, listed: WaitingRunView[]) =>
  renderToStaticMarkup(<EndingRuns count={count} listed={listed} />)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

test("names each waiting run that ends, links to it, and counts the rest", () => {
  expect(renderToStaticMarkup(<EndingRuns count={1} listed={[run]} />)).toContain(`href="${run.href}"`);
  expect(textOf(1, [run])).toBe(
    "1 waiting run ends and counts as denied: A run of $3,600.00 , version 3, requested by zapier-invoices",
  );
  expect(textOf(4, [run, { ...run, id: "2", amountInCents: null }])).toMatch(
    /^4 waiting runs end .* A run that can’t move money now , .* 2 more$/,
  );
});

test("says nothing if no run ends", () => {
  expect(textOf(0, [])).toBe("");
});
