import { LiveButton } from "@/components/ui/live-button";
import { tabClass, tabListClass } from "@/components/ui/tabs";

export type EditTab = "WORDS" | "JSON";

const LABELS: Record<EditTab, string> = { WORDS: "In words", JSON: "JSON" };

/** The two views of one draft. */
export function EditTabs({ current, onPick }: { current: EditTab; onPick: (tab: EditTab) => void }) {
  return (
    <nav className={tabListClass({ kind: "page" })} aria-label="How to edit">
      {(["WORDS", "JSON"] as const).map((tab) => (
        <LiveButton
          key={tab}
          className={`${tabClass({ kind: "page" })} cursor-pointer`}
          aria-current={tab === current ? "true" : undefined}
          onClick={() => onPick(tab)}
        >
          {LABELS[tab]}
        </LiveButton>
      ))}
    </nav>
  );
}
