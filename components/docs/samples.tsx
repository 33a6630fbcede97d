"use client";

import { type KeyboardEvent, useId, useState } from "react";
import { CopyButton } from "@/components/docs/copy-button";

interface SamplesProps {
  samples: readonly { language: string; text: string }[];
}

/** One request in several languages. */
export function Samples({ samples }: SamplesProps) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return (
    <div>
      <div className="code-h">
        <div className="ltabs" role="tablist" aria-label="Language">
          {samples.map(({ language }, index) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}-tab-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel-${index}`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => setChosen(index)}
              onKeyDown={move}
            >
              {language}
            </button>
          ))}
        </div>
        <CopyButton key={chosen} text={samples[chosen]?.text ?? ""} />
      </div>
      {samples.map(({ language, text }, index) => (
        <div
          key={language}
          id={`${id}-panel-${index}`}
          className="code"
          role="tabpanel"
          aria-labelledby={`${id}-tab-${index}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          hidden={index !== chosen}
        >
          <pre>{text}</pre>
        </div>
      ))}
    </div>
  );
}
