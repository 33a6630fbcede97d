"use client";

import { Tabs } from "radix-ui";
import { type ReactNode, useState } from "react";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { CODE } from "@/components/ui/code-box";
import { LiveButton } from "@/components/ui/live-button";
import { tabClass, tabListClass } from "@/components/ui/tabs";

interface SamplesProps {
  samples: readonly { language: string; text: string }[];
}

/** One request in several languages. */
export function Samples({ samples }: SamplesProps) {
  const [chosen, setChosen] = useState(samples[0]?.language ?? "");
  return (
    <Tabs.Root value={chosen} onValueChange={setChosen}>
      <div className="flex items-center justify-between gap-4 min-h-10">
        <Tabs.List className={`${tabListClass({ kind: "panel" })} max-[360px]:gap-3`} aria-label="Language">
          {samples.map(({ language }) => (
            <Tabs.Trigger key={language} value={language} asChild>
              <LiveButton className={tabClass({ kind: "panel" })}>{language}</LiveButton>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <CopyButton key={chosen} text={samples.find(({ language }) => language === chosen)?.text ?? ""} />
      </div>
      {samples.map(({ language, text }) => (
        <Tabs.Content
          key={language}
          className={CODE}
          value={language}
          forceMount
          hidden={language !== chosen}
        >
          <pre>{text}</pre>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

interface ClientTabsProps {
  clients: readonly { id: string; name: string; panel: ReactNode }[];
}

/** One client at a time. Without scripts, all are listed under their names. */
export function ClientTabs({ clients }: ClientTabsProps) {
  return (
    <Tabs.Root defaultValue={clients[0]?.id}>
      <Tabs.List
        className={`${tabListClass({ kind: "panel" })} border-b border-rule overflow-x-auto [scrollbar-width:none] noscript:hidden`}
        aria-label="Client"
      >
        {clients.map(({ id, name }) => (
          <Tabs.Trigger key={id} value={id} asChild>
            <LiveButton
              className={`${tabClass({ kind: "panel" })} flex-none whitespace-nowrap [&]:aria-selected:after:bottom-0`}
            >
              {name}
            </LiveButton>
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {clients.map(({ id, name, panel }) => (
        // Classes, because a style sheet cannot undo the `hidden` attribute without scripts.
        <Tabs.Content
          key={id}
          className="data-[state=inactive]:hidden noscript:block! noscript:not-nth-[2]:mt-8 noscript:not-nth-[2]:border-t noscript:not-nth-[2]:border-rule"
          value={id}
          forceMount
        >
          <p className="hidden font-semibold noscript:block noscript:pt-6">{name}</p>
          {panel}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
