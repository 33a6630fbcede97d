import { Check, CircleMinus, KeyRound, User, X } from "lucide-react";
import { methodWords } from "@/components/parts/approvals/history";
import { formatMoment } from "@/components/time/format-instant";
import { GateOpenIcon } from "@/components/ui/icons";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { UsedMandateView } from "@/lib/views/mandates/read-mandate-page";

/** Who asked for it, narrowed, signed and ended it, and its last use. */
export function MandateHistory({ view }: { view: UsedMandateView }) {
  return (
    <section aria-labelledby="history">
      <h2 className="text-base font-semibold" id="history">
        History
      </h2>
      <Timeline items={itemsOf(view)} />
    </section>
  );
}

const STEP = { SIGNED: "Signed", NARROWED: "Narrowed", CHANGED: "Changed" } as const;

function itemsOf({ history, time, standing }: UsedMandateView): TimelineItem[] {
  const { asked, steps, lastUsedAt, ended } = history;
  const isProgram = asked.byKind === "API_KEY";
  const items: TimelineItem[] = [
    {
      key: "asked",
      icon: isProgram ? <KeyRound /> : <User />,
      title: isProgram
        ? `Asked for by ${asked.byName}`
        : `Written by ${asked.byViewer ? "you" : asked.byName}`,
      detail: formatMoment(asked.at, time),
      state: "done",
    },
    ...steps.map(
      ({ kind, at, byName, byViewer, method }): TimelineItem => ({
        key: `${kind} ${at}`,
        icon: <Check />,
        title: `${STEP[kind]} by ${byViewer ? "you" : byName}`,
        detail: `${formatMoment(at, time)}${method === null ? "" : `, ${methodWords(method)}`}`,
        state: "done",
        ...(kind === "SIGNED" && { tone: "good" as const }),
      }),
    ),
  ];
  if (lastUsedAt !== null) {
    items.push({
      key: "used",
      icon: <GateOpenIcon />,
      title: "Last used",
      detail: formatMoment(lastUsedAt, time),
      state: standing.kind === "IN_USE" ? "underway" : "done",
    });
  }
  if (ended) {
    items.push({
      key: "ended",
      icon: ended.state === "DENIED" ? <X /> : <CircleMinus />,
      title: endedWords(ended),
      detail: formatMoment(ended.at, time),
      state: "done",
      ...(ended.state === "DENIED" && { tone: "bad" as const }),
    });
  }
  return items;
}

function endedWords({ state, byName, reason }: NonNullable<UsedMandateView["history"]["ended"]>): string {
  if (reason === "KEY_ENDED") return "Ended with its key";
  if (reason === "PROGRAM") return state === "DENIED" ? "Withdrawn by its program" : "Ended by its program";
  return `${state === "DENIED" ? "Denied" : "Ended"} by ${byName ?? "a former member"}`;
}
