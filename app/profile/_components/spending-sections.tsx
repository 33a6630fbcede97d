import { FEE_WORDS, percent, spentIn } from "@/app/profile/_components/profile-words";
import { SECTION_HEAD } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { Ledger } from "@/components/ui/ledger";
import { SECTION_TITLE } from "@/components/ui/text-styles";
import type { ProfileView } from "@/lib/views/read-profile-page";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

/** The eight categories, largest first. */
export function Categories({
  view: {
    profile: { categoryBreakdown },
  },
  windowWords,
}: {
  view: ProfileView;
  windowWords: string;
}) {
  const sorted = [...categoryBreakdown].sort((a, b) => b.amountInCents - a.amountInCents);
  const largest = Math.max(1, sorted[0]?.amountInCents ?? 0);
  return (
    <section aria-labelledby="categories">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="categories">
          Spending by category
        </h2>
        <p>{windowWords}, net of refunds</p>
      </div>
      <ul className="[&_li]:grid [&_li]:grid-cols-[minmax(0,156px)_1fr_40px_96px] [&_li]:items-center [&_li]:gap-3.5 [&_li]:py-2.25 [&_li]:px-0 [&_li:first-child]:pt-4 max-sm:[&_li]:grid-cols-[minmax(0,1fr)_auto]">
        {sorted.map(({ category, amountInCents, share }) => (
          <li key={category}>
            <span>{CATEGORY_WORDS[category]}</span>
            <span className="relative h-3 max-sm:order-3 max-sm:col-span-full" aria-hidden="true">
              <i
                className="absolute inset-y-0 left-0 bg-chart-1"
                style={{ width: `${Math.max(0, Math.round((amountInCents / largest) * 1000) / 10)}%` }}
              />
            </span>
            <span className="text-right whitespace-nowrap text-ink-3 max-sm:hidden">{percent(share)}</span>
            <span className="text-right whitespace-nowrap">
              <Amount cents={amountInCents} />
            </span>
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-4 py-3 px-0 border-t border-b-3 [border-bottom-style:double] border-ink-3 font-semibold">
        <span>All spending</span>
        <Amount cents={spentIn(categoryBreakdown)} />
      </p>
    </section>
  );
}

/** Discretionary spending: eating out, shopping, travel. */
export function Discretionary({
  view: {
    profile: { discretionary },
  },
}: {
  view: ProfileView;
}) {
  return (
    <section aria-labelledby="discretionary">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="discretionary">
          Spending you can choose
        </h2>
        <p>{percent(discretionary.share)} of all spending</p>
      </div>
      <Ledger>
        <caption className="sr-only">Discretionary spending</caption>
        <tbody>
          <tr>
            <th scope="row">In this period</th>
            <td className="number">
              <Amount cents={discretionary.totalInCents} />
            </td>
          </tr>
          <tr>
            <th scope="row">Per month</th>
            <td className="number">
              <Amount cents={discretionary.monthlyAverageInCents} />
            </td>
          </tr>
        </tbody>
      </Ledger>
    </section>
  );
}

/** Fees of banks and cards. */
export function Fees({
  view: {
    profile: { fees },
  },
}: {
  view: ProfileView;
}) {
  return (
    <section className="mt-10" aria-labelledby="fees">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="fees">
          Fees
        </h2>
        {fees.byKind.length === 0 ? <p>None in this period</p> : null}
      </div>
      {fees.byKind.length === 0 ? null : (
        <Ledger>
          <caption className="sr-only">Fees by type</caption>
          <tbody>
            {fees.byKind.map(({ kind, amountInCents, count }) => (
              <tr key={kind}>
                <th scope="row">{FEE_WORDS[kind]}</th>
                <td className="text-ink-2">{count === 1 ? "once" : `${count} times`}</td>
                <td className="number">
                  <Amount cents={amountInCents} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All fees</th>
              <td />
              <td className="number">
                <Amount cents={fees.totalInCents} />
              </td>
            </tr>
          </tfoot>
        </Ledger>
      )}
    </section>
  );
}
