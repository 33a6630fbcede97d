"use client";

import { Menu } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useDisclosure } from "@/components/shell/use-disclosure";

/** The last tab on phones: opens the pages without a tab. */
export function MoreMenu({ isCurrent, children }: { isCurrent: boolean; children: ReactNode }) {
  const { isOpen, setIsOpen, frame, button } = useDisclosure();
  const panelId = useId();
  return (
    <div className="more" ref={frame}>
      <button
        ref={button}
        className="more-b"
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        data-current={isCurrent || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Menu className="ic" />
        More
      </button>
      <div className="more-p" id={panelId} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}
