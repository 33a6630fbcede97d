import { BalanceChart } from "@/components/charts/balance-chart";
import { Amount } from "@/components/money/amount";
import { inSluiceWords } from "@/components/parts/accounts/in-sluice";
import { LateNews } from "@/components/parts/accounts/late-news";
import { formatAfterWord, inOrganization } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { formatCents } from "@/lib/contract/format-cents";
import { TOTAL_DAYS } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { BalancePoint } from "@/lib/views/accounts/read-balance-history";
import type { OutsideBalanceView, TotalView } from "@/lib/views/overview/read-overview";

/** More accounts than this are shown as one sum. */
const LISTED_ONE_BY_ONE = 2;

/** The total in Sluice's books, and separately debts and outside balances with their age. */
export function Total({ total, time }: { total: TotalView; time: TimeContext }) {
  return (
    <section aria-labelledby="total">
      <h2 className="text-sm text-ink-3" id="total">
        {inSluiceWords(total)}, <Moment at={time.nowAt} time={time} format={formatAfterWord} />
      </h2>
      <p className="mx-0 mt-1 mb-0.5">
        <Amount cents={total.totalInCents} size="3xl" />
      </p>
      <LateNews since={total.bankNewsLateSince} time={time} />
      <p className="text-ink-2 [&_a]:underline">
        <Change cents={total.changeInCents} /> in {TOTAL_DAYS} days.
        <Elsewhere lead="You owe" preposition="on" accounts={total.owed} time={time} />
      </p>
      <p className="text-ink-2 [&_a]:underline">
        <Elsewhere lead="Outside Sluice, you have" preposition="in" accounts={total.outside} time={time} />
      </p>
      <BalanceChart
        points={total.points}
        label={sentence(total.points)}
        caption="Total at the end of each day on which it changed"
        name="Total"
        time={inOrganization(time)}
      />
    </section>
  );
}

function Change({ cents }: { cents: number }) {
  if (cents === 0) return <>No change</>;
  return <Amount cents={cents} plus="whenPositive" isIn={cents > 0} />;
}

function sentence(points: readonly BalancePoint[]): string {
  const first = points[0]?.balanceInCents ?? 0;
  const last = points.at(-1)?.balanceInCents ?? 0;
  return `Total in Sluice over ${TOTAL_DAYS} days, from ${formatCents(first)} to ${formatCents(last)}.`;
}

interface ElsewhereProps {
  lead: string;
  preposition: "on" | "in";
  accounts: readonly OutsideBalanceView[];
  time: TimeContext;
}

/** Balances outside Sluice's books, with their age; unknown ones are never shown as zero. */
function Elsewhere({ lead, preposition, accounts, time }: ElsewhereProps) {
  if (accounts.length === 0) return null;
  const known = accounts.filter((account) => account.balanceInCents !== null);
  const unknown = accounts.filter((account) => account.balanceInCents === null);
  return (
    <>
      {" "}
      {known.length > LISTED_ONE_BY_ONE ? (
        <Together lead={lead} preposition={preposition} accounts={known} time={time} />
      ) : (
        known.map((account, index) => (
          <span key={account.id}>
            {index === 0 ? lead : ", and"} <Amount cents={account.balanceInCents} /> {preposition}{" "}
            <Link className="underline underline-offset-3" href={account.href}>
              {account.name}
            </Link>
            <Age at={account.balanceAt} time={time} />
            {index === known.length - 1 ? ". " : null}
          </span>
        ))
      )}
      {unknown.length > 0 ? <Unknown accounts={unknown} /> : null}
    </>
  );
}

function Together({ lead, preposition, accounts, time }: ElsewhereProps) {
  const sum = accounts.reduce((cents, account) => cents + (account.balanceInCents ?? 0), 0);
  const oldest = accounts
    .map((account) => account.balanceAt)
    .filter((at) => at !== null)
    .sort()[0];
  return (
    <>
      {lead} <Amount cents={sum} /> {preposition}{" "}
      <Link className="underline underline-offset-3" href="/accounts">
        {accounts.length} accounts
      </Link>
      {oldest ? (
        <>
          , the oldest as of <Moment at={oldest} time={time} format={formatAfterWord} />
        </>
      ) : null}
      .{" "}
    </>
  );
}

function Unknown({ accounts }: { accounts: readonly OutsideBalanceView[] }) {
  const [first] = accounts;
  if (accounts.length > 1 || !first) {
    return (
      <>
        <Link className="underline underline-offset-3" href="/accounts">
          {accounts.length} more accounts
        </Link>{" "}
        have unknown balances and are not counted.
      </>
    );
  }
  return (
    <>
      The balance of{" "}
      <Link className="underline underline-offset-3" href={first.href}>
        {first.name}
      </Link>{" "}
      is unknown; it is not counted.
    </>
  );
}

function Age({ at, time }: { at: string | null; time: TimeContext }) {
  if (at === null) return null;
  return (
    <>
      {" "}
      (<Moment at={at} time={time} format={formatAfterWord} />)
    </>
  );
}
