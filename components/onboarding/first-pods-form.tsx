"use client";

import { ArrowRight, Plus, X } from "lucide-react";
import { useState } from "react";
import { FormSays, useFormAnswer } from "@/components/auth/guarded-form";
import { Amount } from "@/components/money/amount";
import { SharesFigure } from "@/components/onboarding/shares-figure";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
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

/** What the shares are shown of. */
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

/** Pods and their shares, with what a deposit would become. */
export function FirstPodsForm({
  canOpen,
  open,
}: {
  canOpen: boolean;
  open: (input: FirstPods) => Promise<Refused>;
}) {
  const form = useFormAnswer(
    "Sluice did not answer, so we do not know whether the pods were opened. Load this page again.",
  );
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
            {form.isBusy ? "Opening" : `Make ${countWords(pods.length)}`}
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
  if (together > 100) return "That is more than there is. Make the shares 100% or less.";
  if (together === 0)
    return "Without shares no rule is drafted; you move money by hand or write a rule later.";
  return together === 100
    ? "Nothing stays where it arrives."
    : `${100 - together}% stays in Income, where it arrives.`;
}
