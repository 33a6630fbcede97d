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
      {clients.map(({ id, name, panel }, index) => (
        <div key={id} className="cnx-p" {...panelProps(index)}>
          <p className="cnx-n">{name}</p>
          {panel}
        </div>
      ))}
    </>
  );
}
