"use client";

import { ArrowRight, Plus, X } from "lucide-react";
import { useState } from "react";
import { outcomeUnknown } from "@/components/actions/answer-lost";
import { FormSays, useFormAnswer } from "@/components/auth/guarded-form";
import { Amount } from "@/components/money/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import { type FirstPods, MAXIMUM_FIRST_PODS, POD_PROPOSALS } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";

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
export function FirstPodsForm({
  canOpen,
  open,
}: {
  canOpen: boolean;
  open: (input: FirstPods) => Promise<Refused>;
}) {
  const form = useFormAnswer(UNKNOWN);
  const [proposalId, setProposalId] = useState(POD_PROPOSALS[0]?.id);
  const [pods, setPods] = useState(draftsOf(POD_PROPOSALS[0]));
  const together = pods.reduce((sum, pod) => sum + percentOf(pod), 0);
  const change = (key: number, changed: Partial<PodDraft>) =>
    setPods(pods.map((pod) => (pod.key === key ? { ...pod, ...changed } : pod)));
  const submit = () =>
    form.run(() => open(pods.map((pod) => ({ name: pod.name, sharePercent: percentOf(pod) }))));
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.isBusy && canOpen) submit();
      }}
    >
      <div className="fp">
        <div>
          <fieldset className="contents">
            <legend className="vh">Template</legend>
            <span className="seg">
              {POD_PROPOSALS.map((proposal) => (
                <button
                  key={proposal.id}
                  type="button"
                  aria-pressed={proposal.id === proposalId}
                  onClick={() => {
                    setProposalId(proposal.id);
                    setPods(draftsOf(proposal));
                  }}
                >
                  {proposal.label}
                </button>
              ))}
            </span>
          </fieldset>
          <table className="ledger">
            <caption className="vh">Pods and their shares</caption>
            <thead>
              <tr>
                <th scope="col">Pod</th>
                <th scope="col" className="num">
                  Share
                </th>
                <th scope="col" className="num hide-s">
                  Of $1,000.00
                </th>
                <th scope="col">
                  <span className="vh">Leave out</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {pods.map((pod, index) => (
                <PodRow
                  key={pod.key}
                  pod={pod}
                  problem={form.problems[`${index}.name`] ?? form.problems[`${index}.sharePercent`]}
                  change={(changed) => change(pod.key, changed)}
                  remove={pods.length > 1 ? () => setPods(pods.filter(({ key }) => key !== pod.key)) : null}
                />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Together</th>
                <td className="num">{together}%</td>
                <td className="num hide-s">
                  <Amount cents={together * (EXAMPLE_CENTS / 100)} />
                </td>
                <td />
              </tr>
            </tfoot>
          </table>
          {pods.length < MAXIMUM_FIRST_PODS ? (
            <p className="fp-a">
              <Button
                kind="quiet"
                size="small"
                onClick={() => setPods([...pods, { key: nextKey(pods), name: "", isFor: "", share: "0" }])}
              >
                <Plus className="ic" />
                Add a pod
              </Button>
            </p>
          ) : null}
          <p className="meta">{restWords(together)}</p>
          <FormSays answer={form.answer} />
        </div>
        <aside>
          <p className="lbl">If $1,000.00 arrives</p>
          <SharesFigure
            pods={pods.map((pod) => ({ key: pod.key, name: pod.name, percent: percentOf(pod) }))}
          />
        </aside>
      </div>
      <div className="foot-a">
        {canOpen ? (
          <Button kind="primary" size="large" type="submit" busy={form.isBusy}>
            {form.isBusy ? "Opening" : `Open ${countWords(pods.length)}`}
            <ArrowRight className="ic" />
          </Button>
        ) : null}
        <Link className={buttonClass({ kind: "quiet" })} href="/welcome/rule">
          Not now
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} href="/welcome/bank">
          Back
        </Link>
        <span className="meta hide-s">The next step turns the shares into your first rule.</span>
      </div>
    </form>
  );
}

interface PodRowProps {
  pod: PodDraft;
  problem: string | undefined;
  change: (changed: Partial<PodDraft>) => void;
  remove: (() => void) | null;
}

function PodRow({ pod, problem, change, remove }: PodRowProps) {
  const name = pod.name || "new pod";
  return (
    <tr>
      <td>
        <input
          className="in"
          aria-label="Name of the pod"
          value={pod.name}
          maxLength={MAXIMUM_ACCOUNT_NAME_LENGTH}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {pod.isFor ? <span className="meta blk">{pod.isFor}</span> : null}
        {problem ? (
          <span className="errmsg" role="alert">
            {problem}
          </span>
        ) : null}
      </td>
      <td className="num">
        <label className="in share">
          <input
            value={pod.share}
            aria-label={`Share of ${name}, in percent`}
            inputMode="numeric"
            maxLength={3}
            onChange={(event) => change({ share: event.currentTarget.value })}
          />
          <span className="dim">%</span>
        </label>
      </td>
      <td className="num hide-s">
        <Amount cents={percentOf(pod) * (EXAMPLE_CENTS / 100)} />
      </td>
      <td className="fp-x">
        {remove ? (
          <Button kind="quiet" size="small" aria-label={`Leave out ${name}`} onClick={remove}>
            <X className="ic" />
          </Button>
        ) : null}
      </td>
    </tr>
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
    <svg className="fp-net" viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      <rect className="w" x="5" y={channelTop} width="113" height={CHANNEL} />
      <path className="b" d={`M5 ${channelTop - 0.5}H118M5 ${channelTop + CHANNEL + 0.5}H118`} />
      <rect className="n" x="0" y={channelTop - 3} width="5" height={CHANNEL + 6} />
      {branches.map(({ key, name, percent, from, width, to }) => (
        <g key={key}>
          <path
            className="w"
            d={`M117 ${from}C147 ${from} 147 ${to} 176 ${to}V${to + width}C147 ${to + width} 147 ${from + width} 117 ${from + width}Z`}
          />
          <path
            className="b"
            d={`M118 ${from}C147 ${from} 147 ${to} 176 ${to}M118 ${from + width}C147 ${from + width} 147 ${to + width} 176 ${to + width}`}
          />
          <rect className="n" x="176" y={to - 3} width="5" height={width + 6} />
          <text className="strong" x="192" y={to + width / 2 - 2}>
            {shortened(name)}
          </text>
          <text x="192" y={to + width / 2 + 14}>
            {percent}%
          </text>
          <text className="strong" x={WIDTH} y={to + width / 2 - 2} textAnchor="end">
            {formatCents(percent * CENTS_PER_PERCENT)}
          </text>
        </g>
      ))}
      <path className="p" d={gate(channelTop)} />
      <rect className="n" x="66" y={channelTop - 27} width="8" height="22" />
      <text className="strong" x="0" y={channelTop + CHANNEL + 24}>
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
