import { endsOf } from "@/components/approvals/subject-words";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { formatCents } from "@/lib/contract/format-cents";
import type { RevocationEffectView, RevocationView } from "@/lib/contract/views/keys-view";

/** Which proposals and transfers end with it, in numbers. */
export function effectWords({ denied, stopped }: RevocationView): string {
  if (denied.count + stopped.count === 0) return "Nothing of it waits or is on its way.";
  const of = ({ totalInCents }: RevocationEffectView) => formatCents(totalInCents);
  const sentences = [
    denied.count === 1 ? `Its waiting proposal of ${of(denied)} is denied.` : null,
    denied.count > 1 ? `Its ${denied.count} waiting proposals, ${of(denied)} together, are denied.` : null,
    stopped.count === 1 ? `Its transfer of ${of(stopped)} that has not left is stopped.` : null,
    stopped.count > 1
      ? `Its ${stopped.count} transfers that have not left, ${of(stopped)} together, are stopped.`
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

/** What ends with it, one by one. */
export function Effects({ effects }: { effects: RevocationEffectView[] }) {
  const listed = effects.flatMap((effect) => effect.listed);
  if (listed.length === 0) return null;
  const more = effects.reduce((sum, effect) => sum + effect.count, 0) - listed.length;
  return (
    <ul className="effects">
      {listed.map(({ id, subject }) => (
        <li key={id}>
          <Flow {...endsOf(subject)} state="denied" />
          {subject.amountInCents === null ? (
            <span className="dim">–</span>
          ) : (
            <Amount cents={subject.amountInCents} />
          )}
        </li>
      ))}
      {more > 0 ? <li className="dim">and {more} more</li> : null}
    </ul>
  );
}
