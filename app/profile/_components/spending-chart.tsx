import { monthRow } from "@/app/profile/_components/flow-chart";
import { ChartFrame } from "@/components/charts/chart-frame";
import { type ChartColor, type ChartSpec, PAGE_PLOT_WIDTH } from "@/components/charts/chart-spec";
import { SECTION, SECTION_HEAD } from "@/components/layout/section";
import { SECTION_TITLE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { SpendingCategory } from "@/lib/contract/transactions";
import type { ProfileView } from "@/lib/views/read-profile-page";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

const COLORS: readonly ChartColor[] = ["chart-1", "chart-2", "chart-3", "chart-4", "chart-5"];
/** More parts would be indistinguishable in a stack. */
const MAXIMUM_PARTS = COLORS.length;
const REST = "Smaller categories";

/** Spending of each month, stacked by category, the largest at the bottom; the smallest categories are one part. */
export function SpendingChart({ view }: { view: ProfileView }) {
  const spec = spendingSpec(view);
  if (spec.series.length === 0) return null;
  return (
    <section className={SECTION} aria-labelledby="spending-months">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="spending-months">
          Spending by month
        </h2>
        <p>by category, net of refunds</p>
      </div>
      <ChartFrame
        spec={spec}
        label={sentence(spec)}
        table={{ caption: "Spending by month and category", rowHead: "Month" }}
        size="TALL"
      />
    </section>
  );
}

interface Part {
  name: string;
  categories: SpendingCategory[];
}

/** Pure. */
function spendingSpec({
  profile,
  spendingMonths,
  time,
}: Pick<ProfileView, "profile" | "spendingMonths" | "time">): ChartSpec {
  const parts = partsOf(profile.categoryBreakdown);
  return {
    unit: "CENTS",
    usualWidth: PAGE_PLOT_WIDTH,
    rows: spendingMonths.map(({ month, categories }) => ({
      ...monthRow(month, profile.window, time),
      values: parts.map((part) =>
        categories
          .filter(({ category }) => part.categories.includes(category))
          .reduce((sum, { amountInCents }) => sum + amountInCents, 0),
      ),
    })),
    series: parts.map(({ name }, index) => ({
      name,
      shape: "BAR",
      color: COLORS[index] ?? "chart-5",
      stack: "spending",
    })),
  };
}

/** The categories with spending, largest first; beyond what a stack can show, the rest together. */
function partsOf(breakdown: ProfileView["profile"]["categoryBreakdown"]): Part[] {
  const spent = breakdown
    .filter(({ amountInCents, transactionCount }) => amountInCents !== 0 || transactionCount > 0)
    .sort((a, b) => b.amountInCents - a.amountInCents)
    .map(({ category }) => category);
  const alone = spent.length <= MAXIMUM_PARTS ? spent : spent.slice(0, MAXIMUM_PARTS - 1);
  const rest = spent.slice(alone.length);
  const parts = alone.map((category) => ({ name: CATEGORY_WORDS[category], categories: [category] }));
  return rest.length === 0 ? parts : [...parts, { name: REST, categories: rest }];
}

function sentence({ rows, series }: ChartSpec): string {
  const months = rows.map(({ label, values }) => {
    const most = values.reduce((best, value, index) => (value > (values[best] ?? 0) ? index : best), 0);
    const total = values.reduce((sum, value) => sum + value, 0);
    return `${label}: ${formatCents(total)}, most for ${series[most]?.name}`;
  });
  return `Spending by month and category. ${months.join(". ")}.`;
}
