"use client";

import { CircleMinus, CircleX } from "lucide-react";
import { useId, useState } from "react";
import { Amount } from "@/components/money/amount";
import { useTryout } from "@/components/rules/tryout";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { parseCents } from "@/lib/contract/parse-cents";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import { type IncomingThreshold, incomingThresholds } from "@/lib/engine/check-conditions";
import { accountName } from "@/lib/engine/words/number-words";
import { moveText, unknownWords } from "@/lib/engine/words/trace-words";

/** The least that a slider reaches, so that small rules can still be tried with more. */
const LEAST_MAXIMUM_IN_CENTS = 1_000_000;
const STEPS = 1_000;
const MAXIMUM_LABELS = 3;
/** Parts of the slider's length that one label takes, and that its last keeps for its own. */
const LABEL_ROOM = 0.24;
const END_ROOM = 0.14;
/** The part that «$0» takes. */
const START_ROOM = 0.08;

interface SliderMark extends IncomingThreshold {
  /** 0 to 1, from the left. */
  position: number;
  /** Whether there is room for its words. */
  isLabelled: boolean;
}

interface SliderScale {
  maximumInCents: number;
  stepInCents: number;
  marks: SliderMark[];
  /** Whether «$0» does not stand in the way of a mark's words. */
  isStartLabelled: boolean;
}

/** A scale that holds the amount to begin with and every mark, and ends at a round amount. */
export function sliderScale(initialInCents: number, thresholds: readonly IncomingThreshold[]): SliderScale {
  const largest = Math.max(initialInCents, ...thresholds.map(({ atInCents }) => atInCents));
  const maximumInCents = roundUp(Math.max(LEAST_MAXIMUM_IN_CENTS, largest * 1.5));
  const bare = thresholds.map((threshold) => ({
    ...threshold,
    position: threshold.atInCents / maximumInCents,
  }));
  const labelled = labelledPositions(bare);
  const marks = bare.map((mark) => ({ ...mark, isLabelled: labelled.includes(mark.position) }));
  const isStartLabelled = labelled.every((position) => position >= START_ROOM);
  return {
    maximumInCents,
    stepInCents: Math.max(100, roundDown(maximumInCents / STEPS)),
    marks,
    isStartLabelled,
  };
}

/** Where there is room for words; the marks of steps before that of the trigger, which the rule's sentence tells too. */
function labelledPositions(marks: readonly Omit<SliderMark, "isLabelled">[]): number[] {
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

/** The next amount of the form 1, 2 or 5 with zeros behind. */
function roundUp(cents: number): number {
  const power = 10 ** Math.floor(Math.log10(cents));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= cents) ?? 10;
  return factor * power;
}

function roundDown(cents: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(1, cents)));
}

/** Tries the rule with an amount: what it would do now, and why. */
export function DryRun() {
  const { definition, names, amountInCents, evaluation } = useTryout();
  const { trigger } = definition;
  const account = accountName(names, trigger.accountId);
  const isArrival = trigger.type === "ON_FUNDS_TRANSFERRED";
  const minimum = isArrival ? (trigger.minimumAmountInCents ?? 0) : 0;
  return (
    <Section id="dry-run" title="Dry run" fact="Moves no money">
      <AmountSlider label={isArrival ? "If this much arrives" : `If ${account} holds this much`} />
      <BaseNote />
      {amountInCents < minimum ? (
        <p className="ink2 dry-n">
          Less than {formatCents(minimum)} does not set it off. Run by hand, it would do this:
        </p>
      ) : null}
      <div role="status">
        {evaluation.kind === "PLANNED" ? (
          <PlanTable plan={evaluation.plan} />
        ) : (
          <p className="ink2 dry-n">{unknownWords(evaluation.missing, names)} A run waits until it is.</p>
        )}
      </div>
    </Section>
  );
}

/** Which version is tried, and from what: an answer from made-up figures must not read as one about the real ones. */
function BaseNote() {
  const { definition, facts, names, version } = useTryout();
  const { trigger } = definition;
  const account = accountName(names, trigger.accountId);
  const available = facts.accounts[trigger.accountId]?.availableInCents ?? null;
  const has = available === null ? "what it has, which is not known" : `the ${formatCents(available)} it has`;
  const tried = `This tries version ${version}.`;
  return (
    <p className="meta dry-n">
      {trigger.type === "ON_FUNDS_TRANSFERRED"
        ? `${tried} The amount is added to ${has} in ${account} now. The other accounts hold what they hold now.`
        : `${tried} ${account} is taken to hold this instead of ${has} now. The other accounts hold what they hold now.`}
    </p>
  );
}

function AmountSlider({ label }: { label: string }) {
  const { definition, amountInCents, setAmountInCents } = useTryout();
  const id = useId();
  // The scale stays while the amount moves; one that is typed beyond its end moves it to the end.
  const [scale] = useState(() => sliderScale(amountInCents, incomingThresholds(definition)));
  const position = Math.min(1, amountInCents / scale.maximumInCents);
  const percent = (part: number) => `${part * 100}%`;
  return (
    <div className="slide">
      <label className="lbl" htmlFor={`${id}-typed`}>
        {label}
      </label>
      <TypedAmount id={`${id}-typed`} />
      <div className="range">
        <i className="rg-b" />
        <i className="rg-w" style={{ width: percent(position) }} />
        {scale.marks.map((mark) => (
          <i className="rg-m" key={mark.atInCents} style={{ left: percent(mark.position) }} />
        ))}
        <input
          className="rg-in"
          type="range"
          aria-label={label}
          aria-valuetext={formatCents(amountInCents)}
          min={0}
          max={scale.maximumInCents}
          step={scale.stepInCents}
          value={Math.min(amountInCents, scale.maximumInCents)}
          onChange={(event) => setAmountInCents(Number(event.target.value))}
        />
        <i className="rg-t" style={{ left: percent(position) }} />
      </div>
      <div className="rg-l" aria-hidden="true">
        {scale.isStartLabelled ? <span>$0</span> : null}
        {scale.marks
          .filter((mark) => mark.isLabelled)
          .map((mark) => (
            <span className="rg-s" key={mark.atInCents} style={{ left: percent(mark.position) }}>
              {markWords(mark)}
            </span>
          ))}
        <span className="rg-e">{wholeDollars(scale.maximumInCents)}</span>
      </div>
    </div>
  );
}

/** Typed to the cent; the slider moves in larger steps. */
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
      className="dry-a"
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
    return <p className="ink2 dry-n">No step’s conditions hold, so nothing moves.</p>;
  }
  const flowing = moves.filter((move) => move.outcome === "MOVE");
  const total = flowing.reduce((sum, move) => sum + move.amountInCents, 0);
  return (
    <table className="ledger tight dry-t">
      <caption className="vh">
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
          <td className="num">
            <Amount cents={total} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function MoveRow({ move, place, plan }: { move: PlannedMove; place: number; plan: RulePlan }) {
  const { definition, names, triedFacts } = useTryout();
  const isMoved = move.outcome === "MOVE";
  return (
    <tr>
      <td className="dim dry-p">{place}</td>
      <th scope="row">
        {accountName(names, move.destinationAccountId)}
        {move.sourceAccountId === definition.trigger.accountId ? null : (
          <span className="dim"> from {accountName(names, move.sourceAccountId)}</span>
        )}
        <span className="meta blk">
          {moveText(move, { rule: definition, plan, names, facts: triedFacts })}
        </span>
      </th>
      <td className="num">{isMoved ? null : <MoveStatus outcome={move.outcome} />}</td>
      <td className="num">
        <Amount cents={isMoved ? move.amountInCents : 0} quiet={!isMoved} />
      </td>
    </tr>
  );
}

function MoveStatus({ outcome }: { outcome: PlannedMove["outcome"] }) {
  if (outcome === "FAILED") {
    return (
      <Status tone="red" icon={<CircleX className="ic" />}>
        Would fail
      </Status>
    );
  }
  return (
    <Status tone="mute" icon={<CircleMinus className="ic" />}>
      Skipped
    </Status>
  );
}

/** `4 transfers, 1 skipped`, and what a failure kept from running. */
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
