import { LiveButton } from "@/components/ui/live-button";
import { tabClass, tabListClass } from "@/components/ui/tabs";

export type EditTab = "WORDS" | "JSON";

const TABS = [
  ["WORDS", "In words"],
  ["JSON", "JSON"],
] as const;

/** The two views of one draft. */
export function EditTabs({ current, onPick }: { current: EditTab; onPick: (tab: EditTab) => void }) {
  return (
    <nav className={tabListClass({ kind: "page" })} aria-label="How to edit">
      {TABS.map(([tab, label]) => (
        <LiveButton
          key={tab}
          className={`${tabClass({ kind: "page" })} cursor-pointer`}
          aria-current={tab === current ? "true" : undefined}
          onClick={() => onPick(tab)}
        >
          {label}
        </LiveButton>
      ))}
    </nav>
  );
}
