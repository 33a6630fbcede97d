import { Amount } from "@/components/money/amount";
import { BacktestChart } from "@/components/rules/backtest-chart";
import {
  emptyWords,
  groundWords,
  lowestWords,
  occasionCount,
  runFacts,
  totalWords,
} from "@/components/rules/backtest-words";
import { formatDate } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { Section } from "@/components/ui/section";
import type {
  BacktestDestinationView,
  BacktestVersionView,
  BacktestView,
} from "@/lib/contract/views/backtest-view";

/** More series than this nobody tells apart in a stack: then the table alone. */
const MAXIMUM_SERIES = 5;

/** What a version would have moved over the last days, beside the active one. */
export function BacktestSection({ view }: { view: BacktestView }) {
  const { version, active, destinations } = view;
  const runs = occasionCount(version.occasions) + (active ? occasionCount(active.occasions) : 0);
  const fact = `${formatDate(view.from, view.time)} to ${formatDate(view.until, view.time)}`;
  return (
    <Section id="backtest" title="Had it run for the last 90 days" fact={fact}>
      {runs === 0 ? (
        <Empty title="It would not have run">{emptyWords(view)}</Empty>
      ) : (
        <div className="bkt">
          {version.movedInCents > 0 && destinations.length <= MAXIMUM_SERIES ? (
            <BacktestChart view={view} />
          ) : null}
          <ComparisonTable view={view} />
          <Facts view={view} />
        </div>
      )}
    </Section>
  );
}

function ComparisonTable({ view }: { view: BacktestView }) {
  const { version, active, destinations } = view;
  return (
    <table className="ledger tight">
      <caption className="vh">What would have moved, by where it goes</caption>
      <thead>
        <tr>
          <th scope="col">To</th>
          {active ? (
            <th scope="col" className="num hide-s">
              Version {active.version} would move
            </th>
          ) : null}
          <th scope="col" className="num">
            Version {version.version} would move
          </th>
          {active ? (
            <th scope="col" className="num">
              Difference
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {destinations.map((destination) => (
          <DestinationRow key={destination.accountId} destination={destination} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{totalWords(view)}</th>
          {active ? (
            <td className="num hide-s">
              <Amount cents={active.movedInCents} />
            </td>
          ) : null}
          <td className="num">
            <Amount cents={version.movedInCents} />
          </td>
          {active ? (
            <td className="num">
              <Amount cents={version.movedInCents - active.movedInCents} plus="whenPositive" />
            </td>
          ) : null}
        </tr>
      </tfoot>
    </table>
  );
}

function DestinationRow({
  destination: { name, inCents, activeInCents },
}: {
  destination: BacktestDestinationView;
}) {
  const difference = activeInCents === null ? 0 : inCents - activeInCents;
  return (
    <tr>
      <th scope="row">{name}</th>
      {activeInCents === null ? null : (
        <td className="num hide-s">
          <Amount cents={activeInCents} quiet />
        </td>
      )}
      <td className="num">
        <Amount cents={inCents} />
      </td>
      {activeInCents === null ? null : (
        <td className="num">
          {difference === 0 ? (
            <span className="dim">same</span>
          ) : (
            <Amount cents={difference} plus="whenPositive" quiet />
          )}
        </td>
      )}
    </tr>
  );
}

/** What did not go smoothly, version by version, and what the figures rest on. */
function Facts({ view }: { view: BacktestView }) {
  return (
    <div className="bkt-f">
      <VersionFacts view={view} one={view.version} />
      {view.active ? <VersionFacts view={view} one={view.active} /> : null}
      <p className="meta">{groundWords(view).join(" ")}</p>
    </div>
  );
}

function VersionFacts({ view, one }: { view: BacktestView; one: BacktestVersionView }) {
  const lowest = lowestWords(view, one);
  const facts = [...runFacts(one), ...(lowest === null ? [] : [lowest])];
  if (facts.length === 0) return null;
  return (
    <div>
      <h3 className="h3">Version {one.version}</h3>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}
