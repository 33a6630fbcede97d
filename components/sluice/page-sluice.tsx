import type { ReactNode } from "react";
import { DRY_BED, GATE_LEAF, IDLE_LEAF, RIPPLES, WAITING_LEAF, WATER } from "@/components/sluice/ink";
import { MovingParts } from "@/components/sluice/moving-parts";
import type { SluiceState } from "@/components/sluice/row-sluice";

/** The balance of one end of a movement; null if unknown. */
interface BasinBalance {
  nowInCents: number | null;
}

/** The water level and the hatched band, in percent of the basin's height. */
interface BasinLevel {
  waterPercent: number;
  bandBottomPercent: number;
  bandPercent: number;
}

interface BasinLevels {
  source: BasinLevel;
  destination: BasinLevel;
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Both ends of one movement on one scale. While the amount is pending, the band marks the part that would leave the
 * source and the space that it would fill in the destination; otherwise only balances are drawn.
 */
export function basinLevels(
  source: BasinBalance,
  destination: BasinBalance,
  amountInCents: number,
  isPending: boolean,
): BasinLevels {
  const held = Math.max(0, source.nowInCents ?? 0);
  const kept = Math.max(0, destination.nowInCents ?? 0);
  const moving = isPending ? amountInCents : 0;
  // Both states share this scale, so that settling moves the levels and not the scale.
  const scale = roundUp(Math.max(held, amountInCents, kept + amountInCents));
  const leaving = source.nowInCents === null ? moving : Math.min(moving, held);
  const staying = source.nowInCents === null ? 0 : held - leaving;
  return {
    source: level(staying, leaving, scale),
    destination: level(kept, moving, scale),
  };
}

/** One basin filled to `amountInCents` where `scaleInCents` is its brim. */
export function fillPercent(amountInCents: number, scaleInCents: number): number {
  if (scaleInCents <= 0) return 0;
  return Math.round(Math.min(1, Math.max(0, amountInCents / scaleInCents)) * 1000) / 10;
}

/** The next round number with some room above `amountInCents`. */
export function roundUp(amountInCents: number): number {
  if (amountInCents <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(amountInCents));
  const step = STEPS.find((candidate) => candidate * magnitude >= amountInCents * 1.04) ?? 15;
  return step * magnitude;
}

function level(waterInCents: number, bandInCents: number, scale: number): BasinLevel {
  const waterPercent = fillPercent(waterInCents, scale);
  return { waterPercent, bandBottomPercent: waterPercent, bandPercent: fillPercent(bandInCents, scale) };
}

export interface SluiceEnd {
  name: string;
  /** Null if the balance is unknown. */
  nowInCents: number | null;
  /** Below the name: `$18,420.55 now`. */
  caption: ReactNode;
}

interface PageSluiceProps {
  state: SluiceState;
  source: SluiceEnd;
  destination: SluiceEnd;
  amountInCents: number;
  /** Two short lines above the drawn gate. */
  gateLabel: [string, string];
}

const IS_PENDING: ReadonlySet<SluiceState> = new Set(["closed", "queued", "open"]);
const IS_OPEN: ReadonlySet<SluiceState> = new Set(["open", "through"]);
/** Nothing will move: the water is gone. */
const IS_OVER: ReadonlySet<SluiceState> = new Set(["denied", "expired"]);

/**
 * Basin, channel with gate, basin. Every part is always in the DOM and only shown, hidden or moved by its state, so that
 * a decision can animate it. The balance table says the same in text.
 */
export function PageSluice({ state, source, destination, amountInCents, gateLabel }: PageSluiceProps) {
  const levels = basinLevels(source, destination, amountInCents, IS_PENDING.has(state));
  return (
    <div className="grid grid-cols-3 items-end break-inside-avoid max-sm:grid-cols-[minmax(0,1fr)_100px_minmax(0,1fr)]">
      <Basin side="left" end={source} level={levels.source} />
      <div className="relative">
        <MovingParts state={state}>
          <Channel side="left" state={state} />
          <Gate state={state} />
          <Channel side="right" state={state} />
        </MovingParts>
        <p
          className={`absolute inset-x-0 -top-14.25 text-sm text-center text-ink-2 [&_b]:block [&_b]:font-semibold max-sm:hidden ${state === "closed" ? "[&_b]:text-amber" : ""}`}
        >
          {gateLabel[0]}
          <br />
          {gateLabel[1]}
        </p>
      </div>
      <Basin side="right" end={destination} level={levels.destination} />
    </div>
  );
}

type Side = "left" | "right";

const BASIN: Record<Side, string> = { left: "border-l after:right-0", right: "border-r after:left-0" };
const LEVEL_MOVES = "duration-(--dur-4) ease-flow transition-[height,bottom]";
const HATCHED =
  "bg-[repeating-linear-gradient(-45deg,var(--color-water)_0_1.5px,transparent_1.5px_6px)] border-t";

function Basin({ side, end, level }: { side: Side; end: SluiceEnd; level: BasinLevel }) {
  const band = `${HATCHED} ${level.bandPercent > 0 ? "border-teal" : "border-transparent"}`;
  return (
    <div className="grid">
      <p className="text-lg font-semibold">{end.name}</p>
      <p className="mx-0 mt-px mb-3 text-base text-ink-2 max-sm:text-sm">{end.caption}</p>
      <div
        className={`relative h-32 border-b border-ink-2 opacity-70 after:absolute after:top-0 after:bottom-7.5 after:z-1 after:w-px after:bg-ink-2 ${BASIN[side]}`}
      >
        <div
          className={`absolute inset-x-0 top-auto bottom-0 bg-water-2 ${LEVEL_MOVES}`}
          style={{ height: `${level.waterPercent}%` }}
        />
        <div
          className={`absolute inset-x-0 ${LEVEL_MOVES} ${band} ${side === "right" ? "border-dashed" : ""}`}
          style={{ bottom: `${level.bandBottomPercent}%`, height: `${level.bandPercent}%` }}
        />
      </div>
    </div>
  );
}

interface PartProps {
  state: SluiceState;
}

/** The channels are stretched, their lines are not. */
const FIXED_STROKE = "[vector-effect:non-scaling-stroke]";
const SHOWS = "transition-opacity duration-(--dur-2) ease-linear";
const DRAINS =
  "[transform-box:fill-box] origin-bottom transition-[scale] duration-(--dur-3) ease-flow delay-220";
const FLOWS_ON =
  "[transform-box:fill-box] origin-left transition-[scale] duration-(--dur-4) ease-flow delay-350";

/** Before the gate the water drains, behind it the water flows in. */
function waterClass(side: Side, state: SluiceState): string {
  if (side === "left") return `${WATER} ${DRAINS} ${IS_OVER.has(state) ? "scale-y-0" : ""}`;
  return `${WATER} ${FLOWS_ON} ${IS_OPEN.has(state) ? "" : "scale-x-0"}`;
}

function bankClass(state: SluiceState): string {
  return `fill-none ${FIXED_STROKE} ${IS_OVER.has(state) ? "stroke-ink-3" : "stroke-ink-2"}`;
}

function Channel({ side, state }: PartProps & { side: Side }) {
  const isWet = side === "left" ? !IS_OVER.has(state) : IS_OPEN.has(state);
  const isDry = side === "left" ? IS_OVER.has(state) : !IS_OPEN.has(state);
  const drifts = state === "open" ? "animate-drift" : "";
  return (
    <svg
      className="h-32 w-0 min-w-0 flex-1"
      viewBox="0 0 100 128"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={`${DRY_BED} ${FIXED_STROKE} ${SHOWS} ${isDry ? "" : "opacity-0"}`} d="M6 112.5H94" />
      <path className={waterClass(side, state)} d="M0 98H100V128H0z" />
      <path
        className={`${RIPPLES} ${FIXED_STROKE} ${SHOWS} ${drifts} ${isWet ? "" : "opacity-0"}`}
        d="M6 105H58M66 105H88M20 112.5H44M54 112.5H82M8 120H64"
      />
      <path className={bankClass(state)} d="M0 96.5H100M0 127.5H100" />
    </svg>
  );
}

const LEAF: Partial<Record<SluiceState, string>> = {
  closed: WAITING_LEAF,
  denied: "fill-red group-data-changed/parts:animate-drop",
  expired: IDLE_LEAF,
};
const STEM_MOVES = "[transform-box:fill-box] origin-top transition-[scale] duration-(--dur-3) ease-gate";
const LEAF_MOVES = "[transition:translate_var(--dur-3)_var(--ease-flow),fill_var(--dur-1)_var(--ease-flow)]";

function Gate({ state }: PartProps) {
  const isOpen = IS_OPEN.has(state);
  return (
    <svg className="flex-none" viewBox="0 0 44 128" width="44" height="128" aria-hidden="true">
      <path className={waterClass("left", state)} d="M0 98H16V128H0z" />
      <path className={waterClass("right", state)} d="M16 98H44V128H16z" />
      <path className={bankClass(state)} d="M0 96.5H11M33 96.5H44M0 127.5H44" />
      <path className={bankClass(state)} d="M11.5 22V127M32.5 22V127M7 22.5h30M14 10.5h16" />
      <path className={`${bankClass(state)} ${STEM_MOVES} ${isOpen ? "scale-y-42" : ""}`} d="M22 10V88" />
      <rect
        className={`${LEAF_MOVES} ${LEAF[state] ?? GATE_LEAF} ${isOpen ? "-translate-y-11.5" : ""}`}
        x="15"
        y="88"
        width="14"
        height="39.5"
      />
    </svg>
  );
}
