import { LiveButton } from "@/components/ui/live-button";
import { tabClass, tabListClass } from "@/components/ui/tabs";

export type EditTab = "WORDS" | "JSON";

/** The two views of one draft. */
export function EditTabs({ current, onPick }: { current: EditTab; onPick: (tab: EditTab) => void }) {
  return (
    <nav className={tabListClass({ kind: "page" })} aria-label="How to edit">
      {(["WORDS", "JSON"] as const).map((tab) => (
        <LiveButton
          key={tab}
          className={`${tabClass({ kind: "page" })} cursor-pointer`}
          aria-current={tab === current || undefined}
          onClick={() => onPick(tab)}
        >
          {tab === "WORDS" ? "In words" : tab}
        </LiveButton>
      ))}
    </nav>
  );
}
