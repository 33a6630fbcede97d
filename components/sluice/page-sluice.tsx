import type { ReactNode } from "react";
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

/**
 * Basin, channel with gate, basin. Every part is always in the DOM and only shown, hidden or moved by its state, so that
 * a decision can animate it. The balance table says the same in text.
 */
export function PageSluice({ state, source, destination, amountInCents, gateLabel }: PageSluiceProps) {
  const levels = basinLevels(source, destination, amountInCents, IS_PENDING.has(state));
  return (
    <div className={state === "expired" ? "sluice quiet" : "sluice"}>
      <Basin side="l" end={source} level={levels.source} />
      <div className={`sluice-m is-${state}`}>
        <MovingParts state={state}>
          <Channel side="l" />
          <Gate />
          <Channel side="r" />
        </MovingParts>
        <p className="gate-l">
          {gateLabel[0]}
          <br />
          {gateLabel[1]}
        </p>
      </div>
      <Basin side="r" end={destination} level={levels.destination} />
    </div>
  );
}

function Basin({ side, end, level }: { side: "l" | "r"; end: SluiceEnd; level: BasinLevel }) {
  return (
    <div className={`basin-w basin-${side}`}>
      <p className="basin-n">{end.name}</p>
      <p className="basin-s">{end.caption}</p>
      <div className="basin">
        <div className="lvl" style={{ height: `${level.waterPercent}%` }} />
        <div
          className={level.bandPercent > 0 ? "band" : "band band-none"}
          style={{ bottom: `${level.bandBottomPercent}%`, height: `${level.bandPercent}%` }}
        />
      </div>
    </div>
  );
}

function Channel({ side }: { side: "l" | "r" }) {
  return (
    <svg className={`ch ch-${side}`} viewBox="0 0 100 128" preserveAspectRatio="none" aria-hidden="true">
      <path className="dry" d="M6 112.5H94" />
      <path className="w" d="M0 98H100V128H0z" />
      <path className="r" d="M6 105H58M66 105H88M20 112.5H44M54 112.5H82M8 120H64" />
      <path className="b" d="M0 96.5H100M0 127.5H100" />
    </svg>
  );
}

function Gate() {
  return (
    <svg className="gate" viewBox="0 0 44 128" width="44" height="128" aria-hidden="true">
      <path className="w w-before" d="M0 98H16V128H0z" />
      <path className="w w-behind" d="M16 98H44V128H16z" />
      <path className="b" d="M0 96.5H11M33 96.5H44M0 127.5H44" />
      <path className="p" d="M11.5 22V127M32.5 22V127M7 22.5h30M14 10.5h16" />
      <path className="p stem" d="M22 10V88" />
      <rect className="g" x="15" y="88" width="14" height="39.5" />
    </svg>
  );
}
