"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/switch";
import { switchSingleKeys } from "@/components/ui/use-keys";
import type { ShellActions } from "@/lib/contract/views/shell-view";

export interface ShortcutsProps {
  setSingleKeys: ShellActions["setSingleKeys"];
  close: () => void;
}

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
      { does: "Approve, with your passkey", keys: ["A"] },
      { does: "Deny", keys: ["D"] },
      { does: "Raw request", keys: ["E"] },
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
export function Shortcuts({ setSingleKeys, close }: ShortcutsProps) {
  const [isOn, setIsOn] = useState(() => document.documentElement.dataset.keys !== "off");
  const change = () => {
    const next = !isOn;
    setIsOn(next);
    switchSingleKeys(next);
    void setSingleKeys(next);
  };
  return (
    <Dialog title="Keys" onCancel={close}>
      <button className="btn btn-q scs-x" type="button" aria-label="Close" onClick={close}>
        <X className="ic" aria-hidden="true" />
      </button>
      <div className="scs">
        {GROUPS.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3 className="h3">{title}</h3>
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
      <p className="meta scs-f">
        Single keys are off while you type in a field. On Windows and Linux, ⌘ is Ctrl.
        <span>
          Single keys
          <Switch isOn={isOn} aria-label="Single keys" onSwitch={change} />
        </span>
      </p>
    </Dialog>
  );
}
