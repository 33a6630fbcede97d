import { formatCents } from "@/lib/contract/format-cents";
import type { MoneyMapView } from "@/lib/contract/views/overview-view";

/** The money map as a sentence, for who does not see it. */
export function mapSentence({ days, nodes, sums }: MoneyMapView, canDecide: boolean): string {
  const sources = nodes.filter((node) => node.kind === "SOURCE" && node.inInCents + node.outInCents > 0);
  const from = sources.length === 1 ? `from ${sources[0]?.name}` : `from ${sources.length} sources`;
  const parts = [
    sums.inInCents > 0
      ? `In the last ${days} days ${formatCents(sums.inInCents)} came in ${from}.`
      : `In the last ${days} days nothing came in.`,
    sums.outInCents > 0 ? `${formatCents(sums.outInCents)} left.` : "Nothing left.",
    sums.keptInCents < 0
      ? `Sluice holds ${formatCents(-sums.keptInCents)} less than before.`
      : `${formatCents(sums.keptInCents)} was kept.`,
  ];
  if (sums.atGateInCents > 0) {
    parts.push(`${formatCents(sums.atGateInCents)} waits for ${canDecide ? "you" : "approval"}.`);
  }
  return parts.join(" ");
}
