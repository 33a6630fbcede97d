"use client";

import { Menu } from "lucide-react";
import { type ReactNode, useId } from "react";
import { TAB } from "@/components/shell/tab-class";
import { useDisclosure } from "@/components/shell/use-disclosure";
import { LiveButton } from "@/components/ui/live-button";

interface MoreMenuProps {
  linkClasses: string;
  isCurrent: boolean;
  children: ReactNode;
}

/** The last tab on phones: opens the pages without a tab. */
export function MoreMenu({ linkClasses, isCurrent, children }: MoreMenuProps) {
  const { isOpen, setIsOpen, frame, button } = useDisclosure();
  const panelId = useId();
  return (
    <div className="grid flex-1" ref={frame}>
      <LiveButton
        ref={button}
        className={`${TAB} w-full border-0 bg-transparent`}
        aria-expanded={isOpen}
        aria-controls={panelId}
        data-current={isCurrent || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Menu />
        More
      </LiveButton>
      <div
        className={`absolute right-3 bottom-[calc(100%+8px)] w-56 max-h-[calc(100vh-88px)] p-2 border border-rule-strong rounded-lg bg-surface shadow-float overflow-y-auto ${linkClasses}`}
        id={panelId}
        hidden={!isOpen}
      >
        {children}
      </div>
    </div>
  );
}
