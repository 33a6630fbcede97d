import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** Red only for what was denied or failed. */
export type NoteTone = "plain" | "red" | "teal";

export function Note({ tone = "plain", children }: { tone?: NoteTone; children: ReactNode }) {
  return (
    <div className={tone === "plain" ? "note" : `note note-${tone}`}>
      <NoteIcon tone={tone} />
      <div>{children}</div>
    </div>
  );
}

function NoteIcon({ tone }: { tone: NoteTone }) {
  if (tone === "red") return <TriangleAlert className="ic" />;
  return tone === "teal" ? <CircleCheck className="ic" /> : <Info className="ic" />;
}
