import { ChevronRight } from "lucide-react";
import { problemInShort, problemInWords } from "@/app/settings/webhooks/_components/problem-in-words";
import { Table } from "@/components/layout/table";
import { formatToSecond } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { MONO } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import { EVENT_ID_HEADER, SIGNATURE_HEADER, WEBHOOK_USER_AGENT } from "@/lib/contract/webhooks";
import type { AttemptView, DeliveryView } from "@/lib/views/webhooks/read-delivery";

interface WhatWasSentProps {
  delivery: DeliveryView;
  url: string;
  time: TimeContext;
}

/** The raw request, each answer and every attempt; collapsed. */
export function WhatWasSent({ delivery, url, time }: WhatWasSentProps) {
  const { history } = delivery;
  return (
    <details className="first:[&>summary]:-ml-2.5 min-w-0 open:flex-[1_0_100%] [&>summary]:list-none open:[&>summary]:-ml-2.5 [&>summary::-webkit-details-marker]:hidden [&_.code-box]:max-h-80 [&_.code-box]:border [&_.code-box]:border-rule [&_.code-box]:bg-surface [&_.code-box]:overflow-y-auto [&_.code-box_pre]:whitespace-pre-wrap [&_.code-box_pre]:wrap-anywhere open:[&>summary_svg]:rotate-90">
      <summary className={buttonClass({ kind: "quiet", size: "small" })}>
        <ChevronRight />
        {history.length > 0 ? "Show what was sent" : "Show what is sent"}
      </summary>
      <h3 className="mt-5 mb-2 text-base font-semibold">
        {history.length > 1 ? "What was sent, last" : "What is sent"}
      </h3>
      <CodeBox label="The request">{sentRequest(delivery, url)}</CodeBox>
      {history.length > 0 ? (
        <>
          <Answers history={history} />
          <Attempts history={history} time={time} />
        </>
      ) : null}
    </details>
  );
}

function Answers({ history }: { history: readonly AttemptView[] }) {
  return (
    <>
      <h3 className="mt-5 mb-2 text-base font-semibold">What was answered</h3>
      {groupAnswers(history).map((group) => (
        <div key={group.first} className="[&+&]:mt-4 [&_.code-box]:mt-2">
          <p>
            <b>{groupWords(group)}</b> <span className="text-ink-2">{problemInWords(group)}</span>
          </p>
          {group.answer?.trim() ? (
            // The receiver's answer, always as text.
            <CodeBox label={`Answer to ${groupWords(group).toLowerCase()}`}>{group.answer}</CodeBox>
          ) : (
            <p className="text-sm text-ink-3">
              {group.statusCode === null ? "No answer." : "Without a body."}
            </p>
          )}
        </div>
      ))}
    </>
  );
}

function Attempts({ history, time }: { history: readonly AttemptView[]; time: TimeContext }) {
  return (
    <>
      <h3 className="text-base font-semibold">Attempts</h3>
      <Table
        className="[&_td]:py-2 [&_thead_th]:py-3.25 [&_thead_th]:border-b-0"
        caption="Attempts, oldest first"
        rows={history}
        keyOf={({ number }) => number}
        columns={[
          { head: "Number", isHeadHidden: true, className: "text-ink-3", cell: ({ number }) => number },
          {
            head: "Time",
            className: "text-ink-2",
            cell: ({ at }) => <Moment at={at} time={time} format={formatToSecond} />,
          },
          { head: "Answer", cell: (attempt) => problemInShort(attempt) },
          {
            head: "Signature",
            phone: "HIDDEN",
            className: `${MONO} text-ink-2`,
            cell: ({ signatureStart }) => (signatureStart === null ? "–" : `${signatureStart}…`),
          },
          { head: "Took", kind: "NUMBER", cell: ({ durationMs }) => tookWords(durationMs) },
        ]}
      />
    </>
  );
}

/** `38 ms`, `10.0 s`. */
function tookWords(durationMs: number): string {
  return durationMs < 1_000 ? `${durationMs}\u00a0ms` : `${(durationMs / 1_000).toFixed(1)}\u00a0s`;
}

/** The request as sent. Only the first digits of the signature: enough to compare, too few to use. */
export function sentRequest(
  { eventId, body, history }: Pick<DeliveryView, "eventId" | "body" | "history">,
  url: string,
): string {
  const { host, pathname, search } = new URL(url);
  const last = history.at(-1);
  const signature = last
    ? last.signatureStart === null
      ? "none: it could not be signed"
      : `t=${last.signedAtSeconds},v1=${last.signatureStart}…`
    : "t=…,v1=…";
  return [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    `user-agent: ${WEBHOOK_USER_AGENT}`,
    "content-type: application/json",
    `${EVENT_ID_HEADER}: ${eventId}`,
    `${SIGNATURE_HEADER}: ${signature}`,
    "",
    body,
  ].join("\n");
}

/** Consecutive attempts with the same answer. */
interface AnswerGroup extends Pick<AttemptView, "statusCode" | "problem" | "answer"> {
  first: number;
  last: number;
}

/** Each answer once with its consecutive attempts, newest first: eight identical error pages read as one. */
export function groupAnswers(history: readonly AttemptView[]): AnswerGroup[] {
  const groups: AnswerGroup[] = [];
  for (const { number, statusCode, problem, answer } of history) {
    const group = groups[0];
    const isSame =
      group !== undefined &&
      group.statusCode === statusCode &&
      group.problem === problem &&
      group.answer === answer;
    if (isSame) group.last = number;
    else groups.unshift({ statusCode, problem, answer, first: number, last: number });
  }
  return groups;
}

/** `Attempt 3`, `Attempts 1 and 2`, `Attempts 1 to 4`. */
export function groupWords({ first, last }: Pick<AnswerGroup, "first" | "last">): string {
  if (first === last) return `Attempt ${first}`;
  return `Attempts ${first} ${last === first + 1 ? "and" : "to"} ${last}`;
}
