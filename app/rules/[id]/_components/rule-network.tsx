import {
  branchesOf,
  type DrawnRule,
  drawnSource,
  drawnStepIndex,
  fitText,
  layOutNetwork,
  type Network,
  type NetworkMeasures,
  networkText,
  type Span,
  wrapText,
} from "@/components/parts/rules/network-geometry";
import { CHANNEL_BANKS, DRY_BANKS, NetworkBranch, NetworkGate } from "@/components/parts/rules/network-parts";
import { GATE_LEAF, STRONG_TEXT, WATER } from "@/components/sluice/ink";
import { formatCents } from "@/lib/contract/format-cents";
import { stepSummary } from "@/lib/words/rules/action-words";
import { conditionLabel } from "@/lib/words/rules/condition-words";
import { accountName } from "@/lib/words/rules/number-words";
import { capitalized } from "@/lib/words/rules/phrases";
import { shortTriggerWords } from "@/lib/words/rules/trigger-words";

const WIDTH = 1112;
const MEASURES: NetworkMeasures = {
  trunkX: 150,
  forkX: 600,
  branchX: 808,
  trunkY: 112,
  trunkHeight: 86,
  pitch: 80,
  firstY: 48,
  branchesAtRest: 5,
  ownChannel: 68,
};
const WORDS = { branchX: MEASURES.branchX, textX: 828, width: WIDTH, nameLetters: 26, lineLetters: 38 };
const CAPTION = "text-[13px] fill-ink-3";
const GATE_X = 392;
const LABEL_X = 418;
/** Other steps drawn besides the main one; the sentence has all of them. */
const OTHER_STEPS = 3;
const OTHER_PITCH = 100;

/**
 * A rule as the network on its page: the trigger's account, the gate of the step that ran, a channel to scale per
 * destination, other steps dashed below. Scrolls inside its figure on phones.
 */
export function RuleNetwork(drawn: DrawnRule) {
  const { rule, plan } = drawn;
  const isIdle = plan !== null && plan.stepIndexMatched === null;
  const network = layOutNetwork(branchesOf(drawn), drawnSource(drawn).amountInCents, MEASURES);
  const others = otherSteps(drawn);
  const othersBottom = network.trunk.bottom + others.length * OTHER_PITCH + (others.length > 0 ? 50 : 12);
  const foot = footText(drawn);
  const height = Math.round(Math.max(network.bottom + 12, othersBottom) + (foot === null ? 0 : 40));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on phones, also by keyboard.
    <figure className="mx-0 mt-10 mb-0 overflow-x-auto" tabIndex={0} aria-label="Drawing of the rule">
      <svg
        className="block w-full h-auto font-sans text-[14px] fill-ink-2 overflow-visible max-sm:w-225 max-sm:max-w-none"
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={networkText(drawn)}
      >
        <Trunk network={network} isDry={plan === null} isStopped={isIdle} />
        {network.branches.map((branch) => (
          <NetworkBranch key={branch.branch.id} drawn={branch} measures={WORDS} water="THROUGH" />
        ))}
        <NetworkGate x={GATE_X} {...network.trunk} state={isIdle ? "DOWN" : "OPEN"} />
        <TriggerWords drawn={drawn} trunk={network.trunk} />
        <StepWords
          index={drawnStepIndex(plan)}
          condition={stepCondition(drawn, drawnStepIndex(plan))}
          bottom={network.trunk.top - 22}
        />
        {network.branches.length > 1 ? (
          <text
            className={CAPTION}
            x={MEASURES.branchX}
            y={Math.max(14, (network.branches[0]?.middleY ?? 48) - 34)}
          >
            Then, in this order
          </text>
        ) : null}
        <OtherSteps
          drawn={drawn}
          indexes={others}
          top={network.trunk.bottom}
          hiddenCount={rule.steps.length - 1 - others.length}
        />
        {foot === null ? null : (
          <text x={MEASURES.trunkX} y={height - 10}>
            {foot}
          </text>
        )}
      </svg>
    </figure>
  );
}

/** The water that passes the step: dry banks without a plan; stopped if no step applies. */
function Trunk({ network, isDry, isStopped }: { network: Network; isDry: boolean; isStopped: boolean }) {
  const { trunk, leftover } = network;
  const { trunkX, forkX } = MEASURES;
  const height = trunk.bottom - trunk.top;
  const waterEnd = isStopped ? GATE_X : forkX;
  return (
    <>
      {isDry ? null : (
        <rect
          className={WATER}
          data-water=""
          x={trunkX}
          y={trunk.top}
          width={waterEnd - trunkX}
          height={height}
        />
      )}
      <path className={isDry ? DRY_BANKS : CHANNEL_BANKS} d={banks(trunkX, waterEnd, trunk)} />
      {isStopped ? <path className={DRY_BANKS} d={banks(waterEnd, forkX, trunk)} /> : null}
      {/* The channel is closed below for the part that no branch takes. */}
      {leftover && !isDry && !isStopped ? (
        <path className={CHANNEL_BANKS} d={`M${forkX} ${leftover.top}V${leftover.bottom}`} />
      ) : null}
      <rect className={GATE_LEAF} x={trunkX - 5} y={trunk.top - 3} width="5" height={height + 6} />
    </>
  );
}

function banks(fromX: number, toX: number, { top, bottom }: Span): string {
  return `M${fromX} ${top}H${toX}M${fromX} ${bottom}H${toX}`;
}

function TriggerWords({ drawn, trunk }: { drawn: DrawnRule; trunk: Span }) {
  const { rule, names } = drawn;
  const source = drawnSource(drawn);
  const isStated = source.isTriggers && rule.trigger.type === "ON_FUNDS_TRANSFERRED";
  const words = capitalized(shortTriggerWords(rule.trigger, names).replace(/^when /, ""));
  const strong = wrapText(words, 18, 3);
  const quiet = [
    ...(isStated
      ? []
      : [fitText(`${source.isTriggers ? "" : "Out of "}${accountName(names, source.accountId)}`, 18)]),
    ...(source.amountInCents === null ? [] : [formatCents(source.amountInCents)]),
  ];
  const lines = [
    ...strong.map((text) => ({ text, isStrong: true })),
    ...quiet.map((text) => ({ text, isStrong: false })),
  ];
  const first = (trunk.top + trunk.bottom) / 2 - ((lines.length - 1) * 17.5) / 2 + 5;
  return (
    <>
      <text className={CAPTION} x={MEASURES.trunkX} y={trunk.top - 22}>
        Trigger
      </text>
      {lines.map(({ text, isStrong }, index) => (
        <text key={text} className={isStrong ? STRONG_TEXT : undefined} x="0" y={first + index * 17.5}>
          {text}
        </text>
      ))}
    </>
  );
}

/** The number of a step, and its condition in two lines above `bottom`. */
function StepWords({ index, condition, bottom }: { index: number; condition: string; bottom: number }) {
  const lines = wrapText(condition, 30, 2);
  const top = bottom - (lines.length - 1) * 17;
  return (
    <>
      <text className={CAPTION} x={LABEL_X} y={top - 18}>
        Step {index + 1}
      </text>
      {lines.map((line, at) => (
        <text key={line} className={STRONG_TEXT} x={LABEL_X} y={top + at * 17}>
          {line}
        </text>
      ))}
    </>
  );
}

function stepCondition({ rule, names }: DrawnRule, index: number): string {
  const conditions = rule.steps[index]?.conditions ?? null;
  const label = conditionLabel(conditions, { trigger: rule.trigger, names });
  if (index === 0) return label;
  return conditions === null ? "Otherwise" : `Otherwise, ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

function otherSteps({ rule, plan }: DrawnRule): number[] {
  const indexes = rule.steps.map((_, index) => index).filter((index) => index !== drawnStepIndex(plan));
  return indexes.slice(0, OTHER_STEPS);
}

interface OtherStepsProps {
  drawn: DrawnRule;
  indexes: readonly number[];
  /** The bed of the channel above. */
  top: number;
  hiddenCount: number;
}

function OtherSteps({ drawn, indexes, top, hiddenCount }: OtherStepsProps) {
  return (
    <>
      {indexes.map((index, at) => {
        const bed = top + OTHER_PITCH * (at + 1) + 42;
        const from = at === 0 ? top : bed - OTHER_PITCH;
        return (
          <g key={index}>
            <path className={DRY_BANKS} d={`M230 ${from}V${bed}H440M258 ${from}V${bed - 28}H440`} />
            <NetworkGate x={GATE_X} top={bed - 28} bottom={bed} state="DOWN" />
            <StepWords index={index} condition={fitText(stepCondition(drawn, index), 30)} bottom={bed - 46} />
            {wrapText(stepSummary(drawn.rule, index, drawn.names), 26, 2).map((line, lineAt, lines) => (
              <text key={line} x="452" y={bed - 14 + 5 + (lineAt - (lines.length - 1) / 2) * 16}>
                {line}
              </text>
            ))}
          </g>
        );
      })}
      {hiddenCount > 0 ? (
        <text x={MEASURES.trunkX} y={top + OTHER_PITCH * indexes.length + 76}>
          {hiddenCount === 1 ? "And 1 more step" : `And ${hiddenCount} more steps`}
        </text>
      ) : null}
    </>
  );
}

/** What happens if no step applies; null if one always runs. */
function footText({ rule, names }: DrawnRule): string | null {
  if (rule.steps.some(({ conditions }) => conditions === null)) return null;
  const name = fitText(accountName(names, rule.trigger.accountId), 40);
  const condition = conditionLabel(rule.steps.at(-1)?.conditions ?? null, { trigger: rule.trigger, names });
  const threshold = /^(\$[\d,.]+) or more$/.exec(condition)?.[1];
  const when = threshold && rule.trigger.type === "ON_FUNDS_TRANSFERRED" ? `Below ${threshold}` : "Otherwise";
  return `${when} nothing moves. The money stays in ${name}.`;
}
