import type { ReactNode } from "react";
import { GateClosedIcon, PodIcon } from "@/components/ui/icons";
import type { NavigationId } from "@/lib/contract/views/shell-view";

export interface NavigationItem {
  id: NavigationId;
  href: string;
  label: string;
  icon: ReactNode;
}

/** The list pages, in the order of the rail. A new page is one more line here. */
export const NAVIGATION: readonly NavigationItem[] = [
  { id: "APPROVALS", href: "/", label: "Approvals", icon: <GateClosedIcon /> },
  { id: "ACCOUNTS", href: "/accounts", label: "Accounts", icon: <PodIcon /> },
];
