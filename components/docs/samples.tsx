"use client";

import { CopyButton } from "@/components/docs/copy-button";
import { useTabs } from "@/components/ui/use-tabs";

interface SamplesProps {
  samples: readonly { language: string; text: string }[];
}

/** One request in several languages. */
export function Samples({ samples }: SamplesProps) {
  const { chosen, tabProps, panelProps } = useTabs(samples.length);
  return (
    <div>
      <div className="code-h">
        <div className="ltabs" role="tablist" aria-label="Language">
          {samples.map(({ language }, index) => (
            <button key={language} {...tabProps(index)}>
              {language}
            </button>
          ))}
        </div>
        <CopyButton key={chosen} text={samples[chosen]?.text ?? ""} />
      </div>
      {samples.map(({ language, text }, index) => (
        <div
          key={language}
          className="code"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          {...panelProps(index)}
        >
          <pre>{text}</pre>
        </div>
      ))}
    </div>
  );
}
