import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { balanceSpec } from "@/components/charts/balance-chart";
import { ChartFrame } from "@/components/charts/chart-frame";
import { EXTENT } from "@/components/charts/chart-picture";
import type { ChartSpec } from "@/components/charts/chart-spec";
import { ChartTip, rowWords } from "@/components/charts/chart-tip";
import { projectPath } from "@/lib/platform/project-path";

const TIME = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

const FLOWS: ChartSpec = {
  unit: "CENTS",
  rows: [
    { label: "October", tick: "Oct", values: [200_000, 150_000, 50_000], note: "From the 24th" },
    { label: "November", tick: "Nov", values: [100_000, 250_000, -150_000] },
  ],
  series: [
    { name: "In", shape: "BAR", color: "chart-2" },
    { name: "Out", shape: "BAR", color: "chart-6" },
    { name: "Net", shape: "LINE", color: "ink", plus: "whenPositive" },
  ],
};
const TABLE = { caption: "In and out by month", rowHead: "Month" };
const textOf = (markup: string) => markup.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("a chart comes from the server with its name, a first picture, its legend, and every number as a table", () => {
  const markup = renderToStaticMarkup(<ChartFrame spec={FLOWS} label="Flows of two months." table={TABLE} />);
  expect(markup).toContain('<figure aria-label="Flows of two months." ');
  expect(markup).toContain("Show as table");
  expect(textOf(markup)).toContain("In Out Net");
  expect(textOf(markup)).toMatch(/November \$1,000 \.00 \$2,500 \.00 −\$1,500 \.00 October From the 24th/);
  // The picture: bars and line, inside its box.
  const paths = [...markup.matchAll(/ d="([^"]+)"/g)].map(([, path = ""]) => path);
  const coordinates = paths.flatMap((path) => (path.match(/-?[\d.]+/g) ?? []).map(Number));
  expect(paths.length).toBeGreaterThan(5);
  expect(Math.min(...coordinates)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...coordinates)).toBeLessThanOrEqual(EXTENT);
});

const NOBODY = { current: null };

test("the tooltip says the date first, then every value", () => {
  const tip = renderToStaticMarkup(<ChartTip spec={FLOWS} announcer={NOBODY} label={0} active />);
  expect(textOf(tip).trim()).toBe("October In $2,000.00 Out $1,500.00 Net +$500.00 From the 24th");
  expect(renderToStaticMarkup(<ChartTip spec={FLOWS} announcer={NOBODY} label={0} active={false} />)).toBe(
    "",
  );
});

test("the tooltip of a stack adds up, leaves out what is nothing among many, and is one sentence for screen readers", () => {
  const row = { label: "Week of 16 Nov", tick: "16 Nov", values: [30_000, 0, 12_050], note: "Forecast" };
  const spec: ChartSpec = {
    unit: "CENTS",
    rows: [row],
    series: ["Taxes", "Payroll", "Profit"].map((name, index) => ({
      name,
      shape: "BAR",
      color: index === 0 ? "chart-1" : "chart-2",
      stack: "moved",
    })),
  };
  expect(rowWords(spec, row)).toBe("Week of 16 Nov: Taxes $300.00, Profit $120.50, Total $420.50. Forecast.");
});

test("a balance is the last one of each day of the viewer, and carried over days without a change", () => {
  const spec = balanceSpec(
    [
      { at: "2026-11-16T16:26:00Z", balanceInCents: 100_000 },
      { at: "2026-11-18T03:30:00Z", balanceInCents: 150_000 },
      { at: "2026-11-18T04:30:00Z", balanceInCents: 90_000 },
      { at: "2026-11-20T16:26:00Z", balanceInCents: 90_000 },
    ],
    { floorInCents: 50_000, name: "Balance", time: TIME },
  );
  // 03:30 and 04:30 UTC are before midnight in New York: both on the 17th.
  expect(spec.rows.map(({ values, note }) => [values[0], note ?? null])).toEqual([
    [100_000, null],
    [90_000, "−$100.00 that day"],
    [90_000, null],
    [90_000, null],
    [90_000, null],
  ]);
  expect(spec.rows.at(-1)?.tick).toBe("Today");
  expect(spec.level).toEqual({ label: "Floor $500.00", value: 50_000 });
});

test("only the plot loads the charting library, and only on demand", () => {
  const root = dirname(projectPath("package.json"));
  const sources = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
      .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), "utf8") })),
  );
  const importing = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(importing(/from "recharts"/)).toEqual(["components/charts/plot.tsx"]);
  expect(importing(/from "@\/components\/charts\/plot"/)).toEqual([]);
  expect(importing(/import\("@\/components\/charts\/plot"\)/)).toEqual(["components/charts/live-plot.tsx"]);
});
