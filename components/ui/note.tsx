import { cva } from "class-variance-authority";
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** Red only for what was denied or failed. */
export type NoteTone = "plain" | "red" | "teal";

const note = cva(
  "notice grid grid-cols-[20px_1fr] gap-3 px-4 py-3.5 rounded-md [&_b]:text-ink [&_svg]:mt-px print:break-inside-avoid",
  {
    variants: {
      tone: {
        plain: "bg-sunken text-ink-2",
        red: "bg-red-soft text-ink [&>svg]:text-red",
        teal: "bg-water-3 text-ink [&>svg]:text-teal",
      },
    },
  },
);

export function Note({ tone = "plain", children }: { tone?: NoteTone; children: ReactNode }) {
  return (
    <div className={note({ tone })}>
      <NoteIcon tone={tone} />
      <div>{children}</div>
    </div>
  );
}

function NoteIcon({ tone }: { tone: NoteTone }) {
  if (tone === "red") return <TriangleAlert />;
  return tone === "teal" ? <CircleCheck /> : <Info />;
}
