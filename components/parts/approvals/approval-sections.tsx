import { CircleMinus, KeyRound, Plug, User } from "lucide-react";
import { Disclosure } from "@/components/layout/disclosure";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { LookAlikeNote } from "@/components/parts/accounts/look-alike-note";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { checkSentence, checksSummary } from "@/components/parts/approvals/check-sentence";
import { RecentDecisions } from "@/components/parts/approvals/recent-decisions";
import { SentRequestKey } from "@/components/parts/approvals/sent-request-key";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { CheckItem, Checklist, OutcomeIcon } from "@/components/ui/checklist";
import { CodeBox } from "@/components/ui/code-box";
import { DefinitionList } from "@/components/ui/definition-list";
import { Status } from "@/components/ui/status";
import { KEY_NAME, LINK, SUBLINE } from "@/components/ui/text-styles";
import type { ApprovalStatus, RequesterView } from "@/lib/contract/approvals/approval";
import type { TimeContext } from "@/lib/contract/time-context";
import type { RunMoveView } from "@/lib/views/approvals/describe-run";
import type { ApprovalView, SentRequestView } from "@/lib/views/approvals/get-approval";

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
      <h2 className="mb-3 text-base font-semibold" id="who-asks">
        Requester
      </h2>
      <p className="grid grid-cols-[40px_1fr] items-center gap-3">
        <span className="grid place-items-center size-10 border border-rule-strong rounded-md text-ink-2">
          <RequesterIcon kind={requester.kind} />
        </span>
        <span>
          <span
            className={
              requester.kind === "MEMBER"
                ? "text-[15px] wrap-anywhere"
                : "font-mono text-[15px] font-medium tracking-[-0.015em] wrap-anywhere"
            }
          >
            {requester.name}
          </span>
          <span className={SUBLINE}>
            {KIND_WORD[requester.kind]}
            {requester.createdByName
              ? `, ${requester.kind === "ASSISTANT" ? "connected" : "made"} by ${requester.createdByName}`
              : null}
            {requester.createdAt ? (
              <>
                {" on "}
                <Moment at={requester.createdAt} time={time} format={formatDay} />
              </>
            ) : null}
          </span>
        </span>
      </p>
      {requester.lookAlike === null ? null : (
        <div className="mt-3">
          <LookAlikeNote names={[requester.lookAlike]} />
        </div>
      )}
      {/* People and rule webhooks have no key, so neither its uses nor its record. */}
      {requester.createdAt ? (
        <DefinitionList columns="values" gap="narrow" className="mt-4 mb-2.5">
          <dt>Last used</dt>
          <dd>{requester.lastUsedAt ? <Moment at={requester.lastUsedAt} time={time} /> : "First request"}</dd>
          <dt>Proposals approved</dt>
          <dd>
            {requester.decidedCount === 0
              ? "None yet"
              : `${requester.approvedCount} of ${requester.decidedCount}`}
          </dd>
        </DefinitionList>
      ) : null}
      <RecentDecisions recent={requester.recent} />
      {requester.recent.length > 0 ? (
        <p className="text-sm text-ink-3 mt-1.5">{decisionLegend(requester.recent)}</p>
      ) : null}
    </section>
  );
}

function RequesterIcon({ kind }: { kind: RequesterView["kind"] }) {
  if (kind === "API_KEY") return <KeyRound />;
  return kind === "ASSISTANT" || kind === "HOOK" ? <Plug /> : <User />;
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
      <Table
        caption="Movements"
        rows={rowsOf(view)}
        keyOf={({ key }) => key}
        columns={[
          {
            head: "Movement",
            header: true,
            cell: ({ from, to, status }) => (
              <Flow from={from} to={to} state={status ? sluiceState(status) : "skipped"} layout="column" />
            ),
          },
          {
            head: "Triggered by",
            phone: "HIDDEN",
            cell: ({ run }) =>
              run ? (
                <a className={LINK} href={run.href}>
                  {run.ruleName}
                </a>
              ) : (
                setOffBy(view)
              ),
          },
          {
            head: "Status",
            cell: ({ status }) =>
              status ? (
                <ApprovalStatusChip status={status} canDecide={view.viewer.canDecide} />
              ) : (
                <Status tone="mute" icon={<CircleMinus />}>
                  Skipped
                </Status>
              ),
          },
          { head: "Amount", kind: "MONEY", cell: ({ amountInCents }) => amountInCents },
        ]}
      />
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

export function Checks({ view }: { view: ApprovalView }) {
  return (
    <Section id="checks" title="Checks" fact={checksSummary(view.checks)}>
      <Checklist>
        {view.checks.map((check) => {
          const { title, keyName, text, result, link } = checkSentence(check, view);
          return (
            <CheckItem
              key={check.kind}
              icon={<OutcomeIcon outcome={check.outcome} blocks="Blocks approval" />}
              title={title}
              result={result}
            >
              <p>
                {keyName ? <span className={KEY_NAME}>{keyName}</span> : null}
                {text}
                {link ? (
                  <>
                    {" "}
                    <a className={LINK} href={link.href}>
                      {link.label}
                    </a>
                  </>
                ) : null}
              </p>
            </CheckItem>
          );
        })}
      </Checklist>
    </Section>
  );
}

/** The moves that a run skips or cannot make, each with its reason. */
export function SkippedMoves({ moves }: { moves: readonly RunMoveView[] }) {
  const left = moves.filter((move) => move.outcome !== "MOVE");
  if (left.length === 0) return null;
  return (
    <Checklist label="Not moved" ruled>
      {left.map((move) => (
        <CheckItem
          key={move.key}
          icon={<CircleMinus className="text-ink-2" />}
          title={`${move.sourceName} to ${move.destinationName}`}
          result={move.outcome === "SKIPPED" ? "Skipped" : "Would fail"}
        >
          {move.because === null ? null : <p>{sentence(move.because)}</p>}
        </CheckItem>
      ))}
    </Checklist>
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
    <section className="mt-12 max-sm:mt-6">
      <Disclosure
        id={DETAILS_ID}
        summary="Raw request"
        fact={
          <span className="font-mono text-[0.93em]/4.5 tracking-[-0.01em] text-ink-3 max-sm:hidden!">
            {request.method} {shortPath(request.path)}
          </span>
        }
        className="[&>section]:mb-4"
      >
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
      </Disclosure>
      <SentRequestKey detailsId={DETAILS_ID} />
    </section>
  );
}

/** Shortens ids to fit one line; the full path is shown below. */
function shortPath(path: string): string {
  return path.replace(/([0-9a-f]{4})[0-9a-f]{4}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "$1…");
}
