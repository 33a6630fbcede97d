"use client";

import { useState } from "react";
import { Section } from "@/components/ui/section";
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
            <button
              className="sw"
              type="button"
              role="switch"
              aria-checked={areOn}
              aria-label="Single keys"
              onClick={() => {
                setAreOn(!areOn);
                switchSingleKeys(!areOn);
                void setSingleKeys(!areOn);
              }}
            />
          </div>
        </li>
      </ul>
    </Section>
  );
}
