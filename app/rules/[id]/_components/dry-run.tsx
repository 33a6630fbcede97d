"use client";

import { CircleMinus, CircleX } from "lucide-react";
import { useId, useState } from "react";
import { useTryout } from "@/app/rules/[id]/_components/tryout";
import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { Ledger } from "@/components/ui/ledger";
import { Status } from "@/components/ui/status";
import { SUBLINE } from "@/components/ui/text-styles";
import { formatCents, parseCents } from "@/lib/contract/format-cents";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import { type IncomingThreshold, incomingThresholds } from "@/lib/engine/check-conditions";
import { accountName } from "@/lib/words/rules/number-words";
import { moveText, unknownWords } from "@/lib/words/rules/trace-words";

/** The minimum range of a slider, so that small rules can be tried with larger amounts. */
const LEAST_MAXIMUM_IN_CENTS = 1_000_000;
const STEPS = 1_000;
const MAXIMUM_LABELS = 3;
/** Shares of the slider's length that a label takes, and that are reserved for the last one. */
const LABEL_ROOM = 0.24;
const END_ROOM = 0.14;
/** The share that “$0” takes. */
const START_ROOM = 0.08;

interface SliderMark extends IncomingThreshold {
  /** 0 to 1, from the left. */
  position: number;
  /** Whether its label fits. */
  isLabeled: boolean;
}

interface SliderScale {
  maximumInCents: number;
  stepInCents: number;
  marks: SliderMark[];
  /** Whether “$0” fits beside the marks' labels. */
  isStartLabeled: boolean;
}

/** A scale that covers the initial amount and every mark, and ends at a round amount. */
export function sliderScale(initialInCents: number, thresholds: readonly IncomingThreshold[]): SliderScale {
  const largest = Math.max(initialInCents, ...thresholds.map(({ atInCents }) => atInCents));
  const maximumInCents = roundUp(Math.max(LEAST_MAXIMUM_IN_CENTS, largest * 1.5));
  const bare = thresholds.map((threshold) => ({
    ...threshold,
    position: threshold.atInCents / maximumInCents,
  }));
  const labeled = labeledPositions(bare);
  const marks = bare.map((mark) => ({ ...mark, isLabeled: labeled.includes(mark.position) }));
  const isStartLabeled = labeled.every((position) => position >= START_ROOM);
  return {
    maximumInCents,
    stepInCents: Math.max(100, roundDown(maximumInCents / STEPS)),
    marks,
    isStartLabeled,
  };
}

/** Labels that fit; marks of steps take precedence over the trigger's, which is in the rule's sentence. */
function labeledPositions(marks: readonly Omit<SliderMark, "isLabeled">[]): number[] {
  const taken: number[] = [];
  const inOrder = [...marks].sort(
    (one, other) => Number(one.stepIndex === null) - Number(other.stepIndex === null),
  );
  for (const { position } of inOrder) {
    if (taken.length >= MAXIMUM_LABELS) break;
    if (position > 1 - LABEL_ROOM - END_ROOM) continue;
    if (taken.every((other) => Math.abs(other - position) >= LABEL_ROOM)) taken.push(position);
  }
  return taken;
}

/** The next amount of 1, 2 or 5 followed by zeros. */
function roundUp(cents: number): number {
  const power = 10 ** Math.floor(Math.log10(cents));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= cents) ?? 10;
  return factor * power;
}

function roundDown(cents: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(1, cents)));
}

/** Tries the rule with an amount: what it would do, and why. */
export function DryRun() {
  const { definition, names, amountInCents, evaluation } = useTryout();
  const { trigger } = definition;
  const account = accountName(names, trigger.accountId);
  const isArrival = trigger.type === "ON_FUNDS_TRANSFERRED";
  const minimum = isArrival ? (trigger.minimumAmountInCents ?? 0) : 0;
  return (
    <Section id="dry-run" title="Dry run" fact="Moves no money">
      <AmountSlider label={isArrival ? "If this amount arrives" : `If ${account} holds this amount`} />
      <BaseNote />
      {amountInCents < minimum ? (
        <p className="mt-2.5 text-ink-2">
          Less than {formatCents(minimum)} doesn’t trigger it. A manual run would do this:
        </p>
      ) : null}
      <div role="status">
        {evaluation.kind === "PLANNED" ? (
          <PlanTable plan={evaluation.plan} />
        ) : (
          <p className="mt-1 text-ink-2">
            {unknownWords(evaluation.missing, names)} A run waits until it is.
          </p>
        )}
      </div>
    </Section>
  );
}

/** Names the version and the assumed balances, so that an assumed amount is not mistaken for a real one. */
function BaseNote() {
  const { definition, facts, names, version } = useTryout();
  const { trigger } = definition;
  const account = accountName(names, trigger.accountId);
  const available = facts.accounts[trigger.accountId]?.availableInCents ?? null;
  const has = available === null ? "its unknown balance" : `its ${formatCents(available)}`;
  const tried = `Tries version ${version}.`;
  return (
    <p className="mt-1 text-sm text-ink-3">
      {trigger.type === "ON_FUNDS_TRANSFERRED"
        ? `${tried} Adds the amount to ${account} and ${has}. Other accounts keep their current balances.`
        : `${tried} Assumes ${account} holds this instead of ${has}. Other accounts keep their current balances.`}
    </p>
  );
}

function AmountSlider({ label }: { label: string }) {
  const { definition, amountInCents, setAmountInCents } = useTryout();
  const id = useId();
  // The scale stays while dragging; a typed amount beyond its end moves the slider to the end.
  const [scale] = useState(() => sliderScale(amountInCents, incomingThresholds(definition)));
  const position = Math.min(1, amountInCents / scale.maximumInCents);
  const percent = (part: number) => `${part * 100}%`;
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-y-0 gap-x-4 px-0 pt-5 pb-3">
      <label className="text-sm text-ink-3" htmlFor={`${id}-typed`}>
        {label}
      </label>
      <TypedAmount id={`${id}-typed`} />
      <div className="relative col-span-full h-7 mt-3 [&>i]:absolute [&>i]:block [&>i]:pointer-events-none max-sm:h-11 max-sm:-mb-2 max-sm:[&>i]:mt-2">
        <i className="inset-x-0 top-2.25 h-2.5 border-t-0 border-r border-b border-l border-ink-3" />
        <i
          className="top-2.75 left-px max-w-[calc(100%_-_2px)] h-1.75 bg-water"
          style={{ width: percent(position) }}
        />
        {scale.marks.map((mark) => (
          <i
            className="top-1 w-px h-4.5 bg-ink-2"
            key={mark.atInCents}
            style={{ left: percent(mark.position) }}
          />
        ))}
        <input
          className="peer absolute -inset-x-1.5 inset-y-0 w-[calc(100%_+_12px)] h-full m-0 opacity-0 cursor-pointer"
          type="range"
          aria-label={label}
          aria-valuetext={formatCents(amountInCents)}
          min={0}
          max={scale.maximumInCents}
          step={scale.stepInCents}
          value={Math.min(amountInCents, scale.maximumInCents)}
          onChange={(event) => setAmountInCents(Number(event.target.value))}
        />
        <i
          className="peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-teal top-0 w-3 h-6.5 -ml-1.5 rounded-[3px] bg-teal [box-shadow:0_0_0_3px_var(--color-paper)]"
          style={{ left: percent(position) }}
        />
      </div>
      <div
        className="relative col-span-full h-4.5 mt-1 text-[13px] whitespace-nowrap text-ink-3"
        aria-hidden="true"
      >
        {scale.isStartLabeled ? <span className="absolute left-0">$0</span> : null}
        {scale.marks
          .filter((mark) => mark.isLabeled)
          .map((mark) => (
            <span
              className="absolute -translate-x-0.5"
              key={mark.atInCents}
              style={{ left: percent(mark.position) }}
            >
              {markWords(mark)}
            </span>
          ))}
        <span className="absolute right-0">{wholeDollars(scale.maximumInCents)}</span>
      </div>
    </div>
  );
}

/** Exact to the cent when typed; the slider moves in larger steps. */
function TypedAmount({ id }: { id: string }) {
  const { amountInCents, setAmountInCents } = useTryout();
  const [draft, setDraft] = useState<string | null>(null);
  const take = (text: string) => {
    setDraft(text);
    const cents = parseCents(text);
    if (cents !== null && cents <= MAXIMUM_TRANSFER_IN_CENTS) setAmountInCents(cents);
  };
  return (
    <input
      id={id}
      className="w-55 -mr-1.5 py-0.5 px-1.5 border border-transparent rounded-md bg-transparent font-display text-xl text-right text-ink hover:border-edge focus:border-edge focus:bg-surface [&[aria-invalid]]:border-red max-sm:w-42.5 max-sm:min-h-11"
      inputMode="decimal"
      maxLength={16}
      value={draft ?? formatCents(amountInCents)}
      aria-invalid={draft !== null && parseCents(draft) === null ? true : undefined}
      onFocus={(event) => event.target.select()}
      onChange={(event) => take(event.target.value)}
      onBlur={() => setDraft(null)}
    />
  );
}

function markWords({ atInCents, stepIndex }: SliderMark): string {
  return `${wholeDollars(atInCents)} ${stepIndex === null ? "least" : `step ${stepIndex + 1}`}`;
}

function wholeDollars(cents: number): string {
  return cents % 100 === 0 ? formatCents(cents).slice(0, -3) : formatCents(cents);
}

function PlanTable({ plan }: { plan: RulePlan }) {
  const { definition } = useTryout();
  const { moves, stepIndexMatched, actionsNotReached } = plan;
  if (stepIndexMatched === null) {
    return <p className="mt-1 text-ink-2">No condition is met, so nothing moves.</p>;
  }
  const flowing = moves.filter((move) => move.outcome === "MOVE");
  const total = flowing.reduce((sum, move) => sum + move.amountInCents, 0);
  return (
    <Ledger className="mt-3 [&_th]:wrap-anywhere max-[360px]:[&>*>tr>.number]:pl-0.5 max-[360px]:[&>*>tr>*:not(:last-child)]:pr-1.25">
      <caption className="sr-only">
        Result of the dry run{definition.steps.length > 1 ? `, step ${stepIndexMatched + 1}` : ""}
      </caption>
      <tbody>
        {moves.map((move, index) => (
          <MoveRow
            key={`${move.actionIndex} ${move.destinationAccountId}`}
            move={move}
            place={index + 1}
            plan={plan}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <th scope="row">{summaryWords(moves, flowing.length, actionsNotReached)}</th>
          <td />
          <td className="number">
            <Amount cents={total} />
          </td>
        </tr>
      </tfoot>
    </Ledger>
  );
}

function MoveRow({ move, place, plan }: { move: PlannedMove; place: number; plan: RulePlan }) {
  const { definition, names, triedFacts } = useTryout();
  const isMoved = move.outcome === "MOVE";
  return (
    <tr>
      <td className="text-ink-3 w-7 align-top max-[360px]:w-4">{place}</td>
      <th scope="row">
        {accountName(names, move.destinationAccountId)}
        {move.sourceAccountId === definition.trigger.accountId ? null : (
          <span className="text-ink-3"> from {accountName(names, move.sourceAccountId)}</span>
        )}
        <span className={SUBLINE}>
          {moveText(move, { rule: definition, plan, names, facts: triedFacts })}
        </span>
      </th>
      <td className="number">{isMoved ? null : <MoveStatus outcome={move.outcome} />}</td>
      <td className="number">
        <Amount cents={isMoved ? move.amountInCents : 0} quiet={!isMoved} />
      </td>
    </tr>
  );
}

function MoveStatus({ outcome }: { outcome: PlannedMove["outcome"] }) {
  if (outcome === "FAILED") {
    return (
      <Status tone="red" icon={<CircleX />}>
        Would fail
      </Status>
    );
  }
  return (
    <Status tone="mute" icon={<CircleMinus />}>
      Skipped
    </Status>
  );
}

/** `4 transfers, 1 skipped`, and the number not reached after a failure. */
function summaryWords(moves: readonly PlannedMove[], flowing: number, notReached: number): string {
  const skipped = moves.filter((move) => move.outcome === "SKIPPED").length;
  const failed = moves.length - flowing - skipped;
  const parts = [
    flowing === 1 ? "1 transfer" : `${flowing} transfers`,
    skipped > 0 ? `${skipped} skipped` : null,
    failed > 0 ? `${failed} would fail` : null,
    notReached > 0 ? `${notReached} not reached` : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}
