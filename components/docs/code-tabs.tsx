"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { CopyButton } from "@/components/docs/copy-button";

/** Tabs as in the ARIA Authoring Practices: one tab stop; arrow keys move and select. */
function useTabs(count: number) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = nextTab(event.key, chosen, count);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return {
    chosen,
    tabProps: (index: number) => ({
      type: "button" as const,
      role: "tab" as const,
      id: `${id}-tab-${index}`,
      "aria-selected": index === chosen,
      "aria-controls": `${id}-panel-${index}`,
      tabIndex: index === chosen ? 0 : -1,
      onClick: () => setChosen(index),
      onKeyDown,
    }),
    panelProps: (index: number) => ({
      role: "tabpanel" as const,
      id: `${id}-panel-${index}`,
      "aria-labelledby": `${id}-tab-${index}`,
      hidden: index !== chosen,
    }),
  };
}

function nextTab(key: string, chosen: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  return step === 0 ? null : (chosen + step + count) % count;
}

interface SamplesProps {
  samples: readonly { language: string; text: string }[];
}

/** One request in several languages. */
export function Samples({ samples }: SamplesProps) {
  const { chosen, tabProps, panelProps } = useTabs(samples.length);
  return (
    <div>
      <div className="code-h">
        <div className="ltabs max-[360px]:gap-3" role="tablist" aria-label="Language">
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

interface ClientTabsProps {
  clients: readonly { id: string; name: string; panel: ReactNode }[];
}

/** One client at a time. Without scripts, all are listed under their names. */
export function ClientTabs({ clients }: ClientTabsProps) {
  const { tabProps, panelProps } = useTabs(clients.length);
  return (
    <>
      <div className="ltabs cnx-t" role="tablist" aria-label="Client">
        {clients.map(({ id, name }, index) => (
          <button key={id} {...tabProps(index)}>
            {name}
          </button>
        ))}
      </div>
      {clients.map(({ id, name, panel }, index) => {
        // A class, because a style sheet cannot undo the `hidden` attribute without scripts.
        const { hidden, ...props } = panelProps(index);
        return (
          <div key={id} className={hidden ? "cnx-p is-off" : "cnx-p"} {...props}>
            <p className="cnx-n">{name}</p>
            {panel}
          </div>
        );
      })}
    </>
  );
}
