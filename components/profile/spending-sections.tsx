import { Amount } from "@/components/money/amount";
import { FEE_WORDS, percent, spentIn } from "@/components/profile/profile-words";
import { CATEGORY_WORDS, type ProfileView } from "@/lib/contract/views/profile-view";

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
      <div className="sec-h">
        <h2 className="h2" id="categories">
          Spending by category
        </h2>
        <p>{windowWords}, net of refunds</p>
      </div>
      <ul className="cats">
        {sorted.map(({ category, amountInCents, share }) => (
          <li key={category}>
            <span>{CATEGORY_WORDS[category]}</span>
            <span className="bar" aria-hidden="true">
              <i style={{ width: `${Math.max(0, Math.round((amountInCents / largest) * 1000) / 10)}%` }} />
            </span>
            <span className="num dim">{percent(share)}</span>
            <span className="num">
              <Amount cents={amountInCents} />
            </span>
          </li>
        ))}
      </ul>
      <p className="cat-t">
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
      <div className="sec-h">
        <h2 className="h2" id="discretionary">
          Spending you can choose
        </h2>
        <p>{percent(discretionary.share)} of all spending</p>
      </div>
      <table className="ledger tight">
        <caption className="vh">Discretionary spending</caption>
        <tbody>
          <tr>
            <th scope="row">In this period</th>
            <td className="num">
              <Amount cents={discretionary.totalInCents} />
            </td>
          </tr>
          <tr>
            <th scope="row">Per month</th>
            <td className="num">
              <Amount cents={discretionary.monthlyAverageInCents} />
            </td>
          </tr>
        </tbody>
      </table>
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
    <section className="prof-s" aria-labelledby="fees">
      <div className="sec-h">
        <h2 className="h2" id="fees">
          Fees
        </h2>
        {fees.byKind.length === 0 ? <p>None in this period</p> : null}
      </div>
      {fees.byKind.length === 0 ? null : (
        <table className="ledger tight">
          <caption className="vh">Fees by type</caption>
          <tbody>
            {fees.byKind.map(({ kind, amountInCents, count }) => (
              <tr key={kind}>
                <th scope="row">{FEE_WORDS[kind]}</th>
                <td className="ink2">{count === 1 ? "once" : `${count} times`}</td>
                <td className="num">
                  <Amount cents={amountInCents} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All fees</th>
              <td />
              <td className="num">
                <Amount cents={fees.totalInCents} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}
