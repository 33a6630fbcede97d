import { Mail, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { deciderWords, GatesScene, gatesLede } from "@/app/gates/_components/gates-scene";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { PANEL, PANEL_WITH_BUTTONS } from "@/components/layout/panel";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Amount } from "@/components/money/amount";
import { OpenGatesButton } from "@/components/parts/gates/open-gates-button";
import { StopGates } from "@/components/parts/gates/stop-gates";
import { Flow } from "@/components/sluice/row-sluice";
import { formatClock, formatDate, formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { GateClosedIcon } from "@/components/ui/icons";
import { Ledger } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { MONO, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { Timeline } from "@/components/ui/timeline";
import { decidesMoney } from "@/lib/contract/members";
import type { GatesView, GateTransferView } from "@/lib/views/gates/read-gates-page";
import type { ShellView } from "@/lib/views/read-shell";

interface GatesPageProps {
  view: GatesView;
  shell: Pick<ShellView, "closedGates" | "user" | "shown">;
}

/** What closing the gates stopped, or would stop, and what already left. */
export function GatesPage({ view, shell }: GatesPageProps) {
  const { closed } = view;
  return (
    <>
      <PageHead title={closed ? "All gates are closed" : "The gates are open"} lede={gatesLede(view)} />
      <Counter view={view} />
      <div className={`${COLUMNS} mt-12`}>
        <div className="[&>section:first-child]:mt-0">
          <Stopped view={view} />
          <Left view={view} />
          <Past view={view} />
        </div>
        <SideColumn>
          {closed ? <OpenPanel view={view} closingId={closed.closingId} /> : <ClosePanel shell={shell} />}
          {closed ? <Reported view={view} closedAt={closed.closedAt} /> : null}
          <section>
            <h2 className="text-base font-semibold">If something is wrong</h2>
            <LinkList>
              <li>
                <Link href="/settings/api-keys">Revoke one key</Link>
              </li>
              <li>
                <Link href="/settings/assistants">Disconnect an assistant</Link>
              </li>
              <li>
                <Link href="/audit">See the last requests</Link>
              </li>
            </LinkList>
          </section>
        </SideColumn>
      </div>
    </>
  );
}

function Counter({ view }: { view: GatesView }) {
  const { stopped, held, closed } = view;
  const verb = closed ? "stopped" : "would stop";
  const facts: [string, string][] = [
    ["Keys that may move money", `${stopped.keys} ${verb}`],
    ["Assistants", `${stopped.assistants} ${verb}`],
    ["Rules", `${stopped.rules} ${verb}`],
    ["Transfers not yet sent", closed ? `${held.count} held` : `${held.count} would wait`],
  ];
  return (
    <figure className="mt-8">
      <GatesScene areClosed={closed !== null} />
      <figcaption>
        <dl className="grid grid-cols-[repeat(4,1fr)] mt-3.5 pb-4.5 border-b-3 border-double border-ink-3 [&_dt]:text-[13px] [&_dt]:text-ink-3 [&_dd]:font-display [&_dd]:text-xl max-sm:grid-cols-[1fr_1fr] max-sm:gap-y-3.5">
          {facts.map(([term, fact]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  );
}

function Stopped({ view }: { view: GatesView }) {
  const { closed, held, proposals, nextRuns, stopped, skippedCount, time } = view;
  const isClosed = closed !== null;
  return (
    <Section
      id="stopped"
      title={isClosed ? "What stopped" : "What would stop"}
      fact={closed ? `At ${formatClock(closed.closedAt, time)}` : undefined}
    >
      <Ledger>
        <caption className="sr-only">{isClosed ? "What stopped" : "What would stop"}</caption>
        <tbody>
          {held.newest.map((transfer) => (
            <Row
              key={transfer.id}
              what={<TransferFlow transfer={transfer} state={isClosed ? "closed" : "queued"} />}
              about="Accepted, not yet sent. Its hold stays."
              amountInCents={transfer.amountInCents}
            />
          ))}
          <More transfers={held} />
          <Row
            what={<Link href="/approvals">{count(proposals.count, "proposal waits", "proposals wait")}</Link>}
            about={`${
              isClosed
                ? "You can deny them now, and approve them once the gates are open."
                : "They could be denied, but not approved."
            }${proposals.isPartial ? " The sum leaves out those whose amount is not known yet." : ""}`}
            amountInCents={proposals.count > 0 ? proposals.totalInCents : null}
          />
          {nextRuns.map(({ ruleName, href, at }) => (
            <Row
              key={`${href} ${at}`}
              what={<Link href={href}>{ruleName}</Link>}
              about={
                <>
                  {isClosed ? "Is to run" : "Runs"} {formatInSentence(at, time)}. Skipped if the gates are
                  closed then.
                </>
              }
              amountInCents={null}
            />
          ))}
          {skippedCount > 0 ? (
            <Row
              what={count(skippedCount, "scheduled run missed", "scheduled runs missed")}
              about="Recorded as skipped; it won’t be repeated."
              amountInCents={null}
            />
          ) : null}
          <Row
            what={`${count(stopped.keys, "key", "keys")} and ${count(stopped.assistants, "assistant", "assistants")}`}
            about={
              <>
                Reading and dry runs still work. A call that would move money is refused with{" "}
                <span className={MONO}>ACCESS_DENIED</span>.
              </>
            }
            amountInCents={null}
          />
          <Row
            what="Cards"
            about={isClosed ? "Every purchase is declined." : "Every purchase would be declined."}
            amountInCents={null}
          />
        </tbody>
      </Ledger>
    </Section>
  );
}

function Left({ view }: { view: GatesView }) {
  const { left, purchases, closed, time } = view;
  const total = left.totalInCents + purchases.totalInCents;
  return (
    <Section
      id="left"
      title={closed ? "What had already left" : "What has already left"}
      fact="Closing cannot recall these"
    >
      <Ledger>
        <caption className="sr-only">What has already left</caption>
        <tbody>
          {left.newest.map((transfer) => (
            <Row
              key={transfer.id}
              what={<TransferFlow transfer={transfer} state="open" />}
              about={
                <>
                  <Moment at={transfer.acceptedAt} time={time} />. At the bank
                  {transfer.expectedCompletionDate
                    ? `, expected ${formatDate(transfer.expectedCompletionDate, time)}`
                    : ""}
                </>
              }
              amountInCents={transfer.amountInCents}
            />
          ))}
          <More transfers={left} />
          {purchases.count > 0 ? (
            <Row
              what={count(purchases.count, "card purchase", "card purchases")}
              about="Authorized; it will still settle."
              amountInCents={purchases.totalInCents}
            />
          ) : null}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">On its way</th>
            <td className="number">
              <Amount cents={total} />
            </td>
          </tr>
        </tfoot>
      </Ledger>
      <p className="text-sm text-ink-3 mt-3.5">Incoming money still arrives, and stays where it arrives.</p>
    </Section>
  );
}

function More({ transfers }: { transfers: GatesView["held"] }) {
  const rest = transfers.count - transfers.newest.length;
  if (rest <= 0) return null;
  const shown = transfers.newest.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  return (
    <Row
      what={count(rest, "older transfer", "older transfers")}
      about="The newest are listed above."
      amountInCents={transfers.totalInCents - shown}
    />
  );
}

function Past({ view }: { view: GatesView }) {
  if (view.past.length === 0) return null;
  return (
    <Section id="past" title="Closed before">
      <LinkList>
        {view.past.map(({ id, closedAt, closedByName, openedAt, openedByName }) => (
          <li key={id}>
            <div>
              <Moment at={closedAt} time={view.time} /> to <Moment at={openedAt} time={view.time} />
              <span className={SUBLINE}>
                Closed by {closedByName}, opened by {openedByName}
              </span>
            </div>
          </li>
        ))}
      </LinkList>
    </Section>
  );
}

interface OpenPanelProps {
  view: GatesView;
  closingId: string;
}

function OpenPanel({ view, closingId }: OpenPanelProps) {
  return (
    <section className={PANEL_WITH_BUTTONS}>
      <h2 className={SECTION_TITLE}>Open the gates again</h2>
      <p className="mt-2 text-ink-2">
        Held transfers continue, keys, assistants and cards work again, and rules act on the next deposit.
        Skipped runs won’t be repeated.
      </p>
      {view.mayDecide ? (
        <OpenGatesButton closingId={closingId} hasPasskey={view.hasPasskey} place="panel" />
      ) : null}
      <p className="text-sm text-ink-3 mt-3.5">
        {deciderWords(view.deciderNames)} can do this. A passkey or password is needed to open, never to
        close.
      </p>
    </section>
  );
}

function ClosePanel({ shell }: Pick<GatesPageProps, "shell">) {
  return (
    <section className={PANEL}>
      <h2 className={SECTION_TITLE}>Stop everything at once</h2>
      <p className="mt-2 text-ink-2">
        Use this when something looks wrong. Card purchases are declined too. One tap, no confirmation;
        reopening requires your passkey or password.
      </p>
      {decidesMoney(shell.user.role) ? (
        <StopGates view={shell} place="page" />
      ) : (
        <p className="text-sm text-ink-3">Only an owner or co-owner may close the gates.</p>
      )}
    </section>
  );
}

function Reported({ view, closedAt }: { view: GatesView; closedAt: string }) {
  const items = view.reported.map(({ key, channel, text, status }) => ({
    key,
    icon: channel === "EMAIL" ? <Mail /> : <Smartphone />,
    title: text,
    detail: status,
    state: "done" as const,
  }));
  const waiting = {
    key: "waiting",
    icon: <GateClosedIcon />,
    title: `Waiting for ${deciderWords(view.deciderNames)}`,
    detail: "There is no time limit",
    state: "waiting" as const,
  };
  return (
    <section>
      <h2 className="text-base font-semibold">Notified at {formatClock(closedAt, view.time)}</h2>
      <Timeline items={[...items, waiting]} />
    </section>
  );
}

function TransferFlow({
  transfer,
  state,
}: {
  transfer: GateTransferView;
  state: "closed" | "queued" | "open";
}) {
  return (
    <Link href={transfer.href}>
      <Flow from={transfer.sourceName} to={transfer.destinationName} state={state} layout="column" />
    </Link>
  );
}

interface RowProps {
  what: ReactNode;
  about: ReactNode;
  amountInCents: number | null;
}

function Row({ what, about, amountInCents }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {what}
        <span className={SUBLINE}>{about}</span>
      </th>
      <td className="number">
        {amountInCents === null ? <span className="text-ink-3">–</span> : <Amount cents={amountInCents} />}
      </td>
    </tr>
  );
}

const count = (many: number, one: string, more: string) => `${many} ${many === 1 ? one : more}`;
