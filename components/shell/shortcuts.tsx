"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { setSingleKeys } from "@/app/browser-actions";
import { Dialog } from "@/components/ui/dialog";
import { LiveButton } from "@/components/ui/live-button";
import { switchSingleKeys } from "@/components/ui/single-keys/use-keys";
import { Switch } from "@/components/ui/switch";

const GROUPS: readonly { title: string; rows: readonly { does: string; keys: readonly string[] }[] }[] = [
  {
    title: "Anywhere",
    rows: [
      { does: "Go, find or do", keys: ["⌘", "K"] },
      { does: "Keyboard shortcuts", keys: ["?"] },
      { does: "Go to overview", keys: ["G", "O"] },
      { does: "Go to approvals", keys: ["G", "A"] },
      { does: "Go to movements", keys: ["G", "M"] },
      { does: "Close what is open", keys: ["Esc"] },
    ],
  },
  {
    title: "In a list",
    rows: [
      { does: "Next, previous", keys: ["J", "K"] },
      { does: "Open", keys: ["↵"] },
      { does: "Filter", keys: ["/"] },
    ],
  },
  {
    title: "On a proposal",
    rows: [
      { does: "Approve, pressed twice", keys: ["A", "A"] },
      { does: "Deny", keys: ["D"] },
      { does: "Raw request", keys: ["E"] },
    ],
  },
  {
    title: "In a review of proposals",
    rows: [
      { does: "Start it, in the queue", keys: ["R"] },
      { does: "Mark to approve, to deny", keys: ["A", "D"] },
      { does: "Go on, go back", keys: ["J", "K"] },
      { does: "Open the document", keys: ["O"] },
    ],
  },
  {
    title: "Money",
    rows: [
      { does: "Move money", keys: ["M"] },
      { does: "Close all gates", keys: ["⌘", "⇧", "X"] },
    ],
  },
];

/** Every shortcut, and the switch for single keys. */
export function Shortcuts({ close }: { close: () => void }) {
  const [isOn, setIsOn] = useState(() => document.documentElement.dataset.keys !== "off");
  const change = () => {
    const next = !isOn;
    setIsOn(next);
    switchSingleKeys(next);
    void setSingleKeys(next);
  };
  return (
    <Dialog title="Keys" onCancel={close} isWide>
      <LiveButton
        className="absolute top-6 right-6 inline-flex w-10 min-h-10 cursor-pointer items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink max-sm:min-h-11"
        aria-label="Close"
        onClick={close}
      >
        <X aria-hidden="true" />
      </LiveButton>
      <div className="grid grid-cols-[1fr_1fr] gap-y-6 gap-x-12 mt-5 [&_h3]:pb-2 [&_h3]:border-b [&_h3]:border-rule-strong [&_li]:flex [&_li]:items-center [&_li]:justify-between [&_li]:gap-3 [&_li]:min-h-9.5 [&_li]:border-b [&_li]:border-rule [&_li:last-child]:border-0 [&_li_span]:inline-flex [&_li_span]:gap-1 max-sm:grid-cols-1">
        {GROUPS.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3 className="text-base font-semibold">{title}</h3>
            <ul>
              {rows.map(({ does, keys }) => (
                <li key={does}>
                  {does}
                  <span>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="text-sm text-ink-3 flex flex-wrap items-center justify-between gap-y-2 gap-x-5 mt-5 [&_span]:inline-flex [&_span]:items-center [&_span]:gap-2.5">
        Single keys are off while you type. On Windows and Linux, ⌘ is Ctrl.
        <span>
          Single keys
          <Switch isOn={isOn} aria-label="Single keys" onSwitch={change} />
        </span>
      </p>
    </Dialog>
  );
}
