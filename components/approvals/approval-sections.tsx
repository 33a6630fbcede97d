import { Ban, Check, ChevronRight, CircleMinus, Flag, KeyRound, Minus, Plug, User } from "lucide-react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { checkSentence, checksSummary } from "@/components/approvals/check-sentence";
import { RecentDecisions } from "@/components/approvals/recent-decisions";
import { SentRequestKey } from "@/components/approvals/sent-request-key";
import { Amount } from "@/components/money/amount";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { CodeBox } from "@/components/ui/code-box";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type {
  ApprovalStatus,
  ApprovalView,
  CheckOutcome,
  RequesterView,
  RunMoveView,
  SentRequestView,
} from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const KIND_WORD = {
  API_KEY: "API key",
  ASSISTANT: "Assistant",
  MEMBER: "Member",
  HOOK: "Rule webhook",
};

/** The requester, and the outcomes of its earlier proposals. */
export function WhoAsks({ requester, time }: { requester: RequesterView; time: TimeContext }) {
  return (
    <section aria-labelledby="who-asks">
      <h2 className="h3" id="who-asks">
        Requester
      </h2>
      <p className="askr">
        <span className="askr-i">
          <RequesterIcon kind={requester.kind} />
        </span>
        <span>
          <span className={requester.kind === "MEMBER" ? "askr-n" : "key askr-n"}>{requester.name}</span>
          <span className="meta blk">
            {KIND_WORD[requester.kind]}
            {requester.madeByName
              ? `, ${requester.kind === "ASSISTANT" ? "connected" : "made"} by ${requester.madeByName}`
              : null}
            {requester.madeAt ? (
              <>
                {" on "}
                <Moment at={requester.madeAt} time={time} format={formatDay} />
              </>
            ) : null}
          </span>
        </span>
      </p>
      {/* People and rule webhooks have no key, so neither its uses nor its record. */}
      {requester.madeAt ? (
        <dl className="dl askr-f">
          <dt>Last used</dt>
          <dd>{requester.lastUsedAt ? <Moment at={requester.lastUsedAt} time={time} /> : "First request"}</dd>
          <dt>Proposals approved</dt>
          <dd>
            {requester.decidedCount === 0
              ? "None yet"
              : `${requester.approvedCount} of ${requester.decidedCount}`}
          </dd>
        </dl>
      ) : null}
      <RecentDecisions recent={requester.recent} />
      {requester.recent.length > 0 ? <p className="meta askr-l">{decisionLegend(requester.recent)}</p> : null}
    </section>
  );
}

function RequesterIcon({ kind }: { kind: RequesterView["kind"] }) {
  if (kind === "API_KEY") return <KeyRound className="ic" />;
  return kind === "ASSISTANT" || kind === "HOOK" ? <Plug className="ic" /> : <User className="ic" />;
}

function decisionLegend(recent: RequesterView["recent"]): string {
  const short: string[] = [];
  if (recent.includes("DENIED")) short.push("short red marks were denied");
  if (recent.includes("EXPIRED")) short.push("short gray marks expired");
  return short.length === 0
    ? "Each mark is one proposal."
    : `Each mark is one proposal: ${short.join(", ")}.`;
}

/** The movements that the decision triggered, one row each. */
export function WhatHappensNext({ view }: { view: ApprovalView }) {
  if (rowsOf(view).length === 0) return null;
  return (
    <Section
      id="next"
      title="What happens next"
      fact={view.status === "ON_ITS_WAY" ? "Updates automatically" : null}
    >
      <table className="ledger">
        <caption className="vh">Movements</caption>
        <thead>
          <tr>
            <th scope="col">Movement</th>
            <th scope="col" className="hide-s">
              Triggered by
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(view).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <Flow from={row.from} to={row.to} state={row.status ? sluiceState(row.status) : "skipped"} />
              </th>
              <td className="hide-s">
                {row.run ? (
                  <a className="link" href={row.run.href}>
                    {row.run.ruleName}
                  </a>
                ) : (
                  setOffBy(view)
                )}
              </td>
              <td>
                {row.status ? (
                  <ApprovalStatusChip status={row.status} canDecide={view.viewer.canDecide} />
                ) : (
                  <Status tone="mute" icon={<CircleMinus className="ic" />}>
                    Skipped
                  </Status>
                )}
              </td>
              <td className="num">
                <Amount cents={row.amountInCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface Row {
  key: string;
  from: string;
  to: string;
  amountInCents: number;
  /** Null when skipped: there is no transfer. */
  status: ApprovalStatus | null;
  /** Set for rule runs that followed; null for the decided movements themselves. */
  run: { href: string; ruleName: string } | null;
}

function rowsOf(view: ApprovalView): Row[] {
  const followUps = view.followUps.map(({ sourceName, destinationName, ruleName, runHref, ...row }) => {
    return { ...row, from: sourceName, to: destinationName, run: { href: runHref, ruleName } };
  });
  if (view.kind === "TRANSFER") {
    const { source, destination, amountInCents, status } = view;
    const own = { key: view.id, from: source.name, to: destination.name, amountInCents, status, run: null };
    return [own, ...followUps];
  }
  const moves = view.moves.map(({ key, sourceName, destinationName, amountInCents, status }) => {
    return { key, from: sourceName, to: destinationName, amountInCents, status, run: null };
  });
  return [...moves, ...followUps];
}

function setOffBy({ decision, requester }: ApprovalView): string {
  if (!decision) return requester.name;
  return decision.byViewer ? "Your approval" : `${decision.byName}’s approval`;
}

/** Unusual facts are flagged in ink, never in amber or red. */
export function Checks({ view }: { view: ApprovalView }) {
  return (
    <Section id="checks" title="Checks" fact={checksSummary(view.checks)}>
      <ul className="checks">
        {view.checks.map((check) => {
          const { title, keyName, text, result, link } = checkSentence(check, view);
          return (
            <li key={check.kind}>
              <OutcomeIcon outcome={check.outcome} />
              <div>
                <b>{title}</b>
                <p>
                  {keyName ? <span className="key">{keyName}</span> : null}
                  {text}
                  {link ? (
                    <>
                      {" "}
                      <a className="link" href={link.href}>
                        {link.label}
                      </a>
                    </>
                  ) : null}
                </p>
              </div>
              <span className="res">{result}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function OutcomeIcon({ outcome }: { outcome: CheckOutcome }) {
  if (outcome === "CLEAR") return <Check className="ic ok" role="img" aria-label="Clear" />;
  if (outcome === "UNCHECKED") {
    return <Minus className="ic text-ink-3" role="img" aria-label="Not checked" />;
  }
  if (outcome === "LOOK") return <Flag className="ic look" role="img" aria-label="Review" />;
  return <Ban className="ic look" role="img" aria-label="Blocks approval" />;
}

/** The moves that a run skips or cannot make, each with its reason. */
export function SkippedMoves({ moves }: { moves: readonly RunMoveView[] }) {
  const left = moves.filter((move) => move.outcome !== "MOVE");
  if (left.length === 0) return null;
  return (
    <ul className="checks run-skips" aria-label="Not moved">
      {left.map((move) => (
        <li key={move.key}>
          <CircleMinus className="ic look" />
          <div>
            <b>
              {move.sourceName} to {move.destinationName}
            </b>
            {move.because === null ? null : <p>{sentence(move.because)}</p>}
          </div>
          <span className="res">{move.outcome === "SKIPPED" ? "Skipped" : "Would fail"}</span>
        </li>
      ))}
    </ul>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

const DETAILS_ID = "sent-request";

/** The raw request, collapsed by default. `E` toggles it. */
export function SentRequest({ request, view }: { request: SentRequestView; view: ApprovalView }) {
  const fields = Object.entries(request.body);
  const names = new Map(Object.entries(view.accountNames));
  return (
    <section className="sec">
      <details className="raw" id={DETAILS_ID}>
        <summary>
          <ChevronRight className="ic" />
          Raw request
          <span className="meta mono hide-s">
            {request.method} {shortPath(request.path)}
          </span>
        </summary>
        <CodeBox label="Request">
          <em>
            {request.method} {request.path}
            {request.headers.map(({ name, value }) => `\n${name}: ${value}`)}
          </em>
          {"\n\n{\n"}
          {fields.map(([field, value], index) => (
            <span key={field}>
              {"  "}
              <b>{JSON.stringify(field)}</b>: {JSON.stringify(value)}
              {index < fields.length - 1 ? "," : ""}
              {typeof value === "string" && names.has(value) ? <em>{`   ${names.get(value)}`}</em> : null}
              {"\n"}
            </span>
          ))}
          {"}"}
        </CodeBox>
      </details>
      <SentRequestKey detailsId={DETAILS_ID} />
    </section>
  );
}

/** Shortens ids to fit one line; the full path is shown below. */
function shortPath(path: string): string {
  return path.replace(/([0-9a-f]{4})[0-9a-f]{4}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "$1…");
}
