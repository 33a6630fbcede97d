"use client";

import { useState } from "react";
import { setSingleKeys } from "@/app/browser-actions";
import { Section } from "@/components/layout/section";
import { SettingActions, SettingList, SWITCH_ROW } from "@/components/ui/setting-list";
import { switchSingleKeys } from "@/components/ui/single-keys/use-keys";
import { Switch } from "@/components/ui/switch";

export function BrowserSection({ hasSingleKeys }: { hasSingleKeys: boolean }) {
  const [areOn, setAreOn] = useState(hasSingleKeys);
  return (
    <Section id="browser" title="This browser" fact="Stored only here">
      <SettingList>
        <li className={SWITCH_ROW}>
          <div>
            <b>Single keys</b>
            <p className="text-sm text-ink-3">
              J, K, A, D and others work while no field is focused; ? lists them. Shortcuts with ⌘ or Ctrl
              always work.
            </p>
          </div>
          <SettingActions>
            <Switch
              isOn={areOn}
              aria-label="Single keys"
              onSwitch={(isOn) => {
                setAreOn(isOn);
                switchSingleKeys(isOn);
                void setSingleKeys(isOn);
              }}
            />
          </SettingActions>
        </li>
      </SettingList>
    </Section>
  );
}
