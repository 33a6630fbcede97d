import { CircleMinus } from "lucide-react";
import type { RunMoveView } from "@/lib/contract/views/approval-view";

/** What a run leaves out or cannot do, and why: nothing of a rule goes unsaid. */
export function SkippedMoves({ moves }: { moves: readonly RunMoveView[] }) {
  const left = moves.filter((move) => move.outcome !== "MOVE");
  if (left.length === 0) return null;
  return (
    <ul className="checks run-skips" aria-label="Not moved">
      {left.map((move) => (
        <li key={move.key}>
          <CircleMinus className="ic look" />
          <div>
            <b>
              {move.sourceName} to {move.destinationName}
            </b>
            {move.because === null ? null : <p>{sentence(move.because)}</p>}
          </div>
          <span className="res">{move.outcome === "SKIPPED" ? "Skipped" : "Would fail"}</span>
        </li>
      ))}
    </ul>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
