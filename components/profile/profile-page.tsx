import { Amount } from "@/components/money/amount";
import { Coverage } from "@/components/profile/coverage";
import { FlowChart } from "@/components/profile/flow-chart";
import { aMonth, profileTitle, rate, spentIn } from "@/components/profile/profile-words";
import { Savings } from "@/components/profile/savings";
import { Categories, Discretionary, Fees } from "@/components/profile/spending-sections";
import { IncomeStreams, RecurringBills } from "@/components/profile/stream-sections";
import { formatClock, formatMoment, formatShortDay } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { PROFILE_DAYS, type ProfileDays, type ProfileView } from "@/lib/contract/views/profile-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const WINDOW_WORDS: Record<ProfileDays, string> = { 30: "30 days", 90: "90 days", 365: "12 months" };

/** What came in, what it went into, and what recurs; every figure stands in a table or as text. */
export function ProfilePage({ view }: { view: ProfileView }) {
  const { profile } = view;
  return (
    <div className="prof">
      <PageHead title={profileTitle(profile)} lede={ledeOf(view)} actions={<Windows view={view} />} />
      {profile.coverage.transactionCount === 0 ? (
        <Empty title={`Nothing came in and nothing was bought in ${WINDOW_WORDS[view.days]}`}>
          The profile is made of deposits, what your cards spend, and what happened on connected accounts.{" "}
          <Link className="link" href="/accounts/connect">
            Connect a bank
          </Link>{" "}
          and the past year arrives with it.
        </Empty>
      ) : null}
      <Sums view={view} />
      <FlowChart view={view} />
      <div className="cols-2 prof-2">
        <div>
          <IncomeStreams view={view} />
          <div className="prof-s">
            <Savings view={view} />
          </div>
        </div>
        <RecurringBills view={view} />
      </div>
      <div className="cols-2 prof-2">
        <Categories view={view} windowWords={WINDOW_WORDS[view.days]} />
        <div>
          <Discretionary view={view} />
          <Fees view={view} />
        </div>
      </div>
      <Coverage view={view} />
    </div>
  );
}

function ledeOf({ profile: { window, generatedAt }, isKept, time }: ProfileView): string {
  const until = isKept ? keptUntil(generatedAt, time) : "today";
  return `${formatShortDay(window.from, time)} to ${until}, across all accounts. Moves between your own accounts count as neither.`;
}

function keptUntil(generatedAt: string, time: TimeContext): string {
  const isToday = formatShortDay(generatedAt, time) === formatShortDay(time.nowAt, time);
  return isToday ? `today, ${formatClock(generatedAt, time)}` : formatMoment(generatedAt, time);
}

function Windows({ view }: { view: ProfileView }) {
  return (
    <nav className="page-a" aria-label="Time that the profile covers">
      <span className="seg">
        {PROFILE_DAYS.map((days) => (
          <Link
            key={days}
            href={view.hrefs[days]}
            scroll={false}
            aria-current={days === view.days ? "true" : undefined}
          >
            {WINDOW_WORDS[days]}
          </Link>
        ))}
      </span>
    </nav>
  );
}

function Sums({ view: { profile } }: { view: ProfileView }) {
  const { income, categoryBreakdown, recurringBills, fees, savings, window } = profile;
  return (
    <dl className="sums five">
      <div>
        <dt>Income a month</dt>
        <dd>
          <Amount cents={income.monthlyAverageInCents} />
        </dd>
      </div>
      <div>
        <dt>Spent a month</dt>
        <dd>
          <Amount cents={aMonth(spentIn(categoryBreakdown), window)} />
        </dd>
      </div>
      <div>
        <dt>Recurring bills a month</dt>
        <dd>
          <Amount cents={recurringBills.monthlyTotalInCents} />
        </dd>
      </div>
      <div>
        <dt>Fees</dt>
        <dd>
          <Amount cents={fees.totalInCents} />
        </dd>
      </div>
      <div>
        <dt>Savings rate</dt>
        <dd>
          {savings.rate === null ? (
            <Amount cents={null} />
          ) : (
            <span className="amt">{rate(savings.rate)}</span>
          )}
        </dd>
      </div>
    </dl>
  );
}
