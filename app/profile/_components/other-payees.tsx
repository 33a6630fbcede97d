import { SECTION_HEAD } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { Ledger } from "@/components/ui/ledger";
import { SECTION_TITLE } from "@/components/ui/text-styles";
import type { ProfileView } from "@/lib/views/read-profile-page";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

/** Who received the money without a spending category, which is often most of it. */
export function OtherPayees({ view: { profile, otherPayees } }: { view: ProfileView }) {
  const category = profile.categoryBreakdown.find((each) => each.category === "OTHER");
  if (!category || otherPayees.length === 0) return null;
  const restInCents = category.amountInCents - otherPayees.reduce((sum, each) => sum + each.amountInCents, 0);
  return (
    <section className="mt-10" aria-labelledby="other-payees">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="other-payees">
          Within “{CATEGORY_WORDS.OTHER}”
        </h2>
        <p>Largest payees</p>
      </div>
      <Ledger>
        <caption className="sr-only">Payees without a spending category</caption>
        <tbody>
          {otherPayees.map(({ name, amountInCents }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">
                <Amount cents={amountInCents} />
              </td>
            </tr>
          ))}
          {restInCents === 0 ? null : (
            <tr>
              <th scope="row">All others{restInCents < 0 ? ", refunds included" : null}</th>
              <td className="number">
                <Amount cents={restInCents} />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{CATEGORY_WORDS.OTHER}</th>
            <td className="number">
              <Amount cents={category.amountInCents} />
            </td>
          </tr>
        </tfoot>
      </Ledger>
    </section>
  );
}
