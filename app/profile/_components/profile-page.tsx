"use client";

import { FlowChart } from "@/app/profile/_components/flow-chart";
import { OtherPayees } from "@/app/profile/_components/other-payees";
import { aMonth, percent, profileTitle, rate, spentIn } from "@/app/profile/_components/profile-words";
import { SpendingChart } from "@/app/profile/_components/spending-chart";
import { Categories, Discretionary, Fees } from "@/app/profile/_components/spending-sections";
import { IncomeStreams, RecurringBills } from "@/app/profile/_components/stream-sections";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { SECTION, SECTION_HEAD } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { formatAfterWord, formatDate, formatShortDay } from "@/components/time/format-instant";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { Gauge } from "@/components/ui/gauge";
import { Ledger } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Sum, Sums } from "@/components/ui/sums";
import { LINK, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { PROFILE_DAYS, type ProfileDays } from "@/lib/contract/monthly-amount";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ProfileView } from "@/lib/views/read-profile-page";

/** More accounts than this are only counted. */
const SHOWN = 12;

const WINDOW_WORDS: Record<ProfileDays, string> = { 30: "30 days", 90: "90 days", 365: "12 months" };

/** Income, spending and recurring payments; every figure is also in a table or in text. */
export function ProfilePage({ view }: { view: ProfileView }) {
  const { profile } = view;
  return (
    <div className="[&_.notice]:my-3 [&_.notice]:mx-0">
      <PageHead title={profileTitle(profile)} lede={ledeOf(view)} actions={<Windows view={view} />} />
      {profile.coverage.transactionCount === 0 ? (
        <Empty title={`No income and no purchases in ${WINDOW_WORDS[view.days]}`}>
          The profile uses deposits, card purchases, and activity on connected accounts.{" "}
          <Link className={LINK} href="/accounts/connect">
            Connect a bank
          </Link>{" "}
          to include its past year.
        </Empty>
      ) : null}
      <ProfileSums view={view} />
      <p className="text-sm text-ink-3 mt-3">
        Fees are of the whole period; the rest is per month of average length. Kept is income minus spending.
        Bills and fees are part of spending.
      </p>
      <FlowChart view={view} />
      <SpendingChart view={view} />
      {/* Each column flows on its own: a long list leaves no hole beside it. */}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-start gap-16 mt-12 max-sm:grid-cols-1 max-sm:gap-10">
        <div>
          <IncomeStreams view={view} />
          <div className="mt-10">
            <Categories view={view} windowWords={WINDOW_WORDS[view.days]} />
          </div>
          <OtherPayees view={view} />
          <Fees view={view} />
        </div>
        <div>
          <RecurringBills view={view} />
          <div className="mt-10">
            <Savings view={view} />
          </div>
          <div className="mt-10">
            <Discretionary view={view} />
          </div>
        </div>
      </div>
      <Coverage view={view} />
    </div>
  );
}

function ledeOf({ profile: { window, generatedAt }, isKept, time }: ProfileView): string {
  const until = isKept ? keptUntil(generatedAt, time) : "today";
  return `${formatShortDay(window.from, time)} to ${until}, across all accounts. Excludes transfers between your accounts.`;
}

function keptUntil(generatedAt: string, time: TimeContext): string {
  return formatAfterWord(generatedAt, time);
}

function Windows({ view }: { view: ProfileView }) {
  return (
    <PageActions label="Period of the profile">
      <span className={SEGMENTED}>
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
    </PageActions>
  );
}

function ProfileSums({ view: { profile } }: { view: ProfileView }) {
  const { income, categoryBreakdown, recurringBills, fees, window } = profile;
  const spendingInCents = aMonth(spentIn(categoryBreakdown), window);
  return (
    <Sums columns={5}>
      <Sum label="Monthly income">
        <Amount cents={income.monthlyAverageInCents} />
      </Sum>
      <Sum label="Monthly spending">
        <Amount cents={spendingInCents} />
      </Sum>
      <Sum label="Monthly recurring bills">
        <Amount cents={recurringBills.monthlyTotalInCents} />
      </Sum>
      <Sum label="Fees">
        <Amount cents={fees.totalInCents} />
      </Sum>
      <Sum label="Kept each month">
        <Amount cents={income.monthlyAverageInCents - spendingInCents} />
      </Sum>
    </Sums>
  );
}

/** Net savings, and each pod's progress toward its goal. */
function Savings({
  view: {
    profile: { savings },
  },
}: {
  view: ProfileView;
}) {
  return (
    <section aria-labelledby="savings">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="savings">
          Savings
        </h2>
        <p>
          {savings.netTransferredInCents < 0 ? "Withdrew " : "Set aside "}
          <Amount cents={Math.abs(savings.netTransferredInCents)} />
          {savings.rate === null ? null : `, ${rate(Math.abs(savings.rate))} of income`}
        </p>
      </div>
      <p className="text-sm text-ink-3 pt-3">
        Money moved into pods with a goal and savings accounts, less what was moved out. It can come from
        earlier income, so it can differ from what you kept.
      </p>
      {savings.targets.length === 0 ? (
        <p className="pt-3.25 text-ink-2">
          Pods with a goal show their progress here.{" "}
          <Link className={LINK} href="/accounts">
            Set a goal
          </Link>
        </p>
      ) : (
        <Ledger>
          <caption className="sr-only">Pods with a goal</caption>
          <tbody>
            {savings.targets.map((target) => (
              <tr key={target.accountId}>
                <th scope="row">
                  <Link className="hover:underline" href={`/accounts/${target.accountId}`}>
                    {target.name}
                  </Link>
                  <span className="block max-w-50 mt-2">
                    <Gauge percent={Math.round(target.share * 100)} tone="goal" />
                  </span>
                </th>
                <td className="number">
                  <Amount cents={target.balanceInCents} />
                  <span className={SUBLINE}>
                    {percent(target.share)} of <Amount cents={target.targetInCents} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </Ledger>
      )}
    </section>
  );
}

/** Which accounts and times the figures cover. */
function Coverage({ view: { profile, time } }: { view: ProfileView }) {
  const { accounts, staleConnections, firstDate, transactionCount, uncategorizedShare } = profile.coverage;
  return (
    <section className={SECTION} aria-labelledby="coverage">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="coverage">
          Data sources
        </h2>
        <p>
          {transactionCount.toLocaleString(time.locale)}{" "}
          {transactionCount === 1 ? "transaction" : "transactions"}
          {transactionCount > 0 ? `, ${percent(uncategorizedShare)} of purchases without a category` : null}
        </p>
      </div>
      {staleConnections.map((connection) => (
        <div key={connection.id} className="my-3">
          <Note tone={connection.status === "ACTIVE" ? "plain" : "red"}>
            {staleWords(connection, time)}{" "}
            <Link className={LINK} href={`/connections/${connection.id}`}>
              View connection
            </Link>
          </Note>
        </div>
      ))}
      <Ledger>
        <caption className="sr-only">Accounts and the start of their data</caption>
        <tbody>
          {accounts.slice(0, SHOWN).map((account) => (
            <tr key={account.id}>
              <th scope="row">
                <Link className="hover:underline" href={`/accounts/${account.id}`}>
                  {account.name}
                </Link>
              </th>
              <td className="text-ink-2">
                {account.firstDate === null ? "No data yet" : `Since ${formatDate(account.firstDate, time)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </Ledger>
      {accounts.length > SHOWN ? (
        <p className="text-sm text-ink-3">
          And <Link href="/accounts">{accounts.length - SHOWN} more accounts</Link>.
        </p>
      ) : null}
      {firstDate === null ? null : (
        <p className="pt-3.25 text-sm text-ink-2">Data starts {formatDate(firstDate, time)}.</p>
      )}
    </section>
  );
}

function staleWords(
  { institutionName, status, lastRefreshedAt }: FinancialProfile["coverage"]["staleConnections"][number],
  time: TimeContext,
): string {
  const since = lastRefreshedAt === null ? "" : ` since ${formatAfterWord(lastRefreshedAt, time)}`;
  if (status === "NEEDS_SIGN_IN")
    return `${institutionName} requires you to sign in again: no new data${since}.`;
  if (status === "DISCONNECTED") return `${institutionName} is disconnected: no new data${since}.`;
  return `${institutionName} has sent no new data${since}, so figures may be incomplete.`;
}
