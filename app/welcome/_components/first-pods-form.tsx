"use client";

import { ArrowRight, Plus, X } from "lucide-react";
import { useState } from "react";
import { openFirstPods } from "@/app/welcome/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { SendForm } from "@/components/act/send-form";
import { PageFoot } from "@/components/layout/page-head";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { FormSays, useFormAnswer } from "@/components/parts/sign-in/guarded-form";
import { BANKS, GATE_LEAF, STRONG_TEXT, WATER } from "@/components/sluice/ink";
import { Button, buttonClass } from "@/components/ui/button";
import { SEGMENTED } from "@/components/ui/choice-class";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { LiveButton } from "@/components/ui/live-button";
import { SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import { MAXIMUM_FIRST_PODS, POD_PROPOSALS } from "@/lib/contract/onboarding";

interface PodDraft {
  key: number;
  name: string;
  isFor: string;
  /** As typed. */
  share: string;
}

const UNKNOWN = outcomeUnknown("the pods may or may not be open. Reload the page to check.");
const EXAMPLE_CENTS = 100_000;
const COUNT_WORDS = ["no", "this", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const draftsOf = (proposal: (typeof POD_PROPOSALS)[number] | undefined): PodDraft[] =>
  (proposal?.pods ?? []).map(({ name, isFor, sharePercent }, index) => ({
    key: index + 1,
    name,
    isFor,
    share: String(sharePercent),
  }));

const percentOf = ({ share }: PodDraft) => (/^[0-9]{1,3}$/.test(share.trim()) ? Number(share) : 0);

/** Pods and their shares, with an example deposit. */
export function FirstPodsForm({ canOpen }: { canOpen: boolean }) {
  const form = useFormAnswer(UNKNOWN);
  const [proposalId, setProposalId] = useState(POD_PROPOSALS[0]?.id);
  const [pods, setPods] = useState(draftsOf(POD_PROPOSALS[0]));
  const together = pods.reduce((sum, pod) => sum + percentOf(pod), 0);
  const change = (key: number, changed: Partial<PodDraft>) =>
    setPods(pods.map((pod) => (pod.key === key ? { ...pod, ...changed } : pod)));
  const submit = () =>
    form.run((shown) =>
      openFirstPods(
        pods.map((pod) => ({ name: pod.name, sharePercent: percentOf(pod) })),
        shown,
      ),
    );
  return (
    <SendForm
      isBusy={form.isBusy}
      onSend={() => {
        if (canOpen) submit();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_340px] items-start gap-14 [&_[role='status']:empty]:hidden max-lg:grid-cols-1 max-lg:[&_aside]:hidden">
        <div>
          <fieldset className="contents">
            <legend className="sr-only">Template</legend>
            <span className={`${SEGMENTED} mb-5`}>
              {POD_PROPOSALS.map((proposal) => (
                <LiveButton
                  key={proposal.id}
                  aria-pressed={proposal.id === proposalId}
                  onClick={() => {
                    setProposalId(proposal.id);
                    setPods(draftsOf(proposal));
                  }}
                >
                  {proposal.label}
                </LiveButton>
              ))}
            </span>
          </fieldset>
          <Table
            caption="Pods and their shares"
            rows={pods.map((pod, index) => ({ ...pod, index }))}
            keyOf={({ key }) => key}
            columns={[
              {
                head: "Pod",
                cell: (pod) => (
                  <PodName
                    pod={pod}
                    problem={form.problems[`${pod.index}.name`] ?? form.problems[`${pod.index}.sharePercent`]}
                    onChange={(name) => change(pod.key, { name })}
                  />
                ),
                foot: "Together",
              },
              {
                head: "Share",
                kind: "NUMBER",
                cell: (pod) => <PodShare pod={pod} onChange={(share) => change(pod.key, { share })} />,
                foot: `${together}%`,
              },
              {
                head: "Of $1,000.00",
                kind: "MONEY",
                phone: "HIDDEN",
                cell: (pod) => percentOf(pod) * (EXAMPLE_CENTS / 100),
                foot: <Amount cents={together * (EXAMPLE_CENTS / 100)} />,
              },
              {
                head: "Leave out",
                isHeadHidden: true,
                className: "w-11 pr-0",
                cell: ({ key, name }) =>
                  pods.length > 1 ? (
                    <Button
                      kind="quiet"
                      size="small"
                      aria-label={`Leave out ${name || "new pod"}`}
                      onClick={() => setPods(pods.filter((pod) => pod.key !== key))}
                    >
                      <X />
                    </Button>
                  ) : null,
              },
            ]}
          />
          {pods.length < MAXIMUM_FIRST_PODS ? (
            <p className="mt-2.5 mr-0 mb-0 -ml-2.5">
              <Button
                kind="quiet"
                size="small"
                onClick={() => setPods([...pods, { key: nextKey(pods), name: "", isFor: "", share: "0" }])}
              >
                <Plus />
                Add a pod
              </Button>
            </p>
          ) : null}
          <p className="text-sm text-ink-3">{restWords(together)}</p>
          <FormSays answer={form.answer} />
        </div>
        <aside>
          <p className="text-sm text-ink-3">If $1,000.00 arrives</p>
          <SharesFigure
            pods={pods.map((pod) => ({ key: pod.key, name: pod.name, percent: percentOf(pod) }))}
          />
        </aside>
      </div>
      <PageFoot className="mt-10 flex-wrap">
        {canOpen ? (
          <Button kind="primary" size="large" type="submit" busy={form.isBusy}>
            {form.isBusy ? "Opening" : `Open ${countWords(pods.length)}`}
            <ArrowRight />
          </Button>
        ) : null}
        <Link className={buttonClass({ kind: "quiet" })} href="/welcome/rule">
          Not now
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} href="/welcome/bank">
          Back
        </Link>
        <span className="text-sm text-ink-3 max-sm:hidden!">
          The next step turns the shares into your first rule.
        </span>
      </PageFoot>
    </SendForm>
  );
}

interface PodNameProps {
  pod: PodDraft;
  problem: string | undefined;
  onChange: (name: string) => void;
}

function PodName({ pod: { name, isFor }, problem, onChange }: PodNameProps) {
  return (
    <>
      <input
        className={inputClass()}
        aria-label="Name of the pod"
        value={name}
        maxLength={MAXIMUM_ACCOUNT_NAME_LENGTH}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isFor ? <span className={SUBLINE}>{isFor}</span> : null}
      {problem ? <FieldError>{problem}</FieldError> : null}
    </>
  );
}

function PodShare({ pod, onChange }: { pod: PodDraft; onChange: (share: string) => void }) {
  return (
    <label className="inline-flex items-center gap-2 w-19 min-h-9 px-2.5 border border-edge rounded-md bg-surface text-[14px] text-right [&_input]:w-full [&_input]:p-0 [&_input]:border-0 [&_input]:bg-transparent [&_input]:text-right [&_input]:outline-none focus-within:outline-2 focus-within:outline-teal focus-within:outline-offset-2">
      <input
        value={pod.share}
        aria-label={`Share of ${pod.name || "new pod"}, in percent`}
        inputMode="numeric"
        maxLength={3}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span className="text-ink-3">%</span>
    </label>
  );
}

function nextKey(pods: readonly PodDraft[]): number {
  return Math.max(0, ...pods.map(({ key }) => key)) + 1;
}

function countWords(count: number): string {
  return count === 1 ? "this pod" : `these ${COUNT_WORDS[count] ?? count} pods`;
}

function restWords(together: number): string {
  if (together > 100) return "The shares add up to more than 100%.";
  if (together === 0) return "Without shares, no rule is drafted. You can write one later.";
  return together === 100 ? "Nothing stays in Income." : `${100 - together}% stays in Income.`;
}

interface SharesFigureProps {
  pods: readonly { key: number; name: string; percent: number }[];
}

const WIDTH = 340;
const CHANNEL = 64;
const ROW = 58;
const TOP = 24;
const MAXIMUM_DRAWN = 6;
/** Of $1,000.00, in cents. */
const CENTS_PER_PERCENT = 1_000;

/** A deposit divided among the pods; each branch is as wide as its share. */
function SharesFigure({ pods }: SharesFigureProps) {
  const drawn = pods.filter(({ percent }) => percent > 0).slice(0, MAXIMUM_DRAWN);
  const total = Math.max(
    100,
    drawn.reduce((sum, { percent }) => sum + percent, 0),
  );
  const height = Math.max(190, TOP + drawn.length * ROW);
  const channelTop = height / 2 - CHANNEL / 2 - 14;
  let offset = 0;
  const branches = drawn.map((pod, index) => {
    const width = Math.max(2, (pod.percent / total) * CHANNEL);
    const branch = {
      ...pod,
      from: channelTop + offset,
      width,
      to: TOP + index * ROW + (ROW - width) / 2 - 14,
    };
    offset += width;
    return branch;
  });
  return (
    <svg
      className="w-full h-auto text-[13px] fill-ink-3 overflow-visible"
      viewBox={`0 0 ${WIDTH} ${height}`}
      aria-hidden="true"
    >
      <rect className={WATER} x="5" y={channelTop} width="113" height={CHANNEL} />
      <path className={BANKS} d={`M5 ${channelTop - 0.5}H118M5 ${channelTop + CHANNEL + 0.5}H118`} />
      <rect className={GATE_LEAF} x="0" y={channelTop - 3} width="5" height={CHANNEL + 6} />
      {branches.map(({ key, name, percent, from, width, to }) => (
        <g key={key}>
          <path
            className={WATER}
            d={`M117 ${from}C147 ${from} 147 ${to} 176 ${to}V${to + width}C147 ${to + width} 147 ${from + width} 117 ${from + width}Z`}
          />
          <path
            className={BANKS}
            d={`M118 ${from}C147 ${from} 147 ${to} 176 ${to}M118 ${from + width}C147 ${from + width} 147 ${to + width} 176 ${to + width}`}
          />
          <rect className={GATE_LEAF} x="176" y={to - 3} width="5" height={width + 6} />
          <text className={STRONG_TEXT} x="192" y={to + width / 2 - 2}>
            {shortened(name)}
          </text>
          <text x="192" y={to + width / 2 + 14}>
            {percent}%
          </text>
          <text className={STRONG_TEXT} x={WIDTH} y={to + width / 2 - 2} textAnchor="end">
            {formatCents(percent * CENTS_PER_PERCENT)}
          </text>
        </g>
      ))}
      <path className={BANKS} d={gate(channelTop)} />
      <rect className={GATE_LEAF} x="66" y={channelTop - 27} width="8" height="22" />
      <text className={STRONG_TEXT} x="0" y={channelTop + CHANNEL + 24}>
        Income
      </text>
      <text x="0" y={channelTop + CHANNEL + 41}>
        {formatCents(100 * CENTS_PER_PERCENT)}
      </text>
    </svg>
  );
}

function gate(channelTop: number): string {
  const top = channelTop - 30;
  const foot = channelTop + CHANNEL + 5;
  return `M62.5 ${top}V${foot}M77.5 ${top}V${foot}M58 ${top - 0.5}h24M70 ${top - 9}v12M65 ${top - 9.5}h10`;
}

function shortened(name: string): string {
  const characters = Array.from(name || "New pod");
  return characters.length <= 12 ? characters.join("") : `${characters.slice(0, 11).join("")}…`;
}
