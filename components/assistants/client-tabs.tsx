"use client";

import type { ReactNode } from "react";
import { useTabs } from "@/components/ui/use-tabs";

interface ClientTabsProps {
  clients: readonly { id: string; name: string; panel: ReactNode }[];
}

/** One client at a time. Without a script all of them stand below each other, under their names. */
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
        // Hidden by a class: a style sheet cannot show again what the attribute hides.
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
