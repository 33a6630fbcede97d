"use client";

import { useState } from "react";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { switchSingleKeys } from "@/components/ui/use-keys";

interface BrowserSectionProps {
  hasSingleKeys: boolean;
  setSingleKeys: (areOn: boolean) => Promise<void>;
}

export function BrowserSection({ hasSingleKeys, setSingleKeys }: BrowserSectionProps) {
  const [areOn, setAreOn] = useState(hasSingleKeys);
  return (
    <Section id="browser" title="This browser" fact="Stored only here">
      <ul className="setl">
        <li>
          <div>
            <b>Single keys</b>
            <p className="meta">
              J, K, A, D and others work while no field is focused; ? lists them. Shortcuts with ⌘ or Ctrl
              always work.
            </p>
          </div>
          <div className="acts-r">
            <Switch
              isOn={areOn}
              aria-label="Single keys"
              onSwitch={(isOn) => {
                setAreOn(isOn);
                switchSingleKeys(isOn);
                void setSingleKeys(isOn);
              }}
            />
          </div>
        </li>
      </ul>
    </Section>
  );
}
