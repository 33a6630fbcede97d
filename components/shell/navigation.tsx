import { BookOpen, CreditCard, FlaskConical, KeyRound, Plug, Waypoints, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { GateClosedIcon, PodIcon } from "@/components/ui/icons";
import type { NavigationId, ShellView } from "@/lib/contract/views/shell-view";

export interface NavigationItem {
  id: NavigationId;
  href: string;
  label: string;
  icon: ReactNode;
}

export interface NavigationGroup {
  /** Null: the first group, which needs no name and has the tabs on phones. */
  title: string | null;
  items: readonly NavigationItem[];
}

/** The list pages, in the order of the rail. A new page is one more line here. */
export function navigationOf(view: Pick<ShellView, "hasSandboxPage">): readonly NavigationGroup[] {
  return [
    {
      title: null,
      items: [
        { id: "APPROVALS", href: "/", label: "Approvals", icon: <GateClosedIcon /> },
        { id: "ACCOUNTS", href: "/accounts", label: "Accounts", icon: <PodIcon /> },
        {
          id: "RULES",
          href: "/rules",
          label: "Rules",
          icon: <Waypoints className="ic" aria-hidden="true" />,
        },
        {
          id: "CARDS",
          href: "/cards",
          label: "Cards",
          icon: <CreditCard className="ic" aria-hidden="true" />,
        },
      ],
    },
    {
      title: "Developers",
      items: [
        {
          id: "API_KEYS",
          href: "/settings/api-keys",
          label: "API keys",
          icon: <KeyRound className="ic" aria-hidden="true" />,
        },
        {
          id: "ASSISTANTS",
          href: "/settings/assistants",
          label: "Assistants",
          icon: <Plug className="ic" aria-hidden="true" />,
        },
        {
          id: "WEBHOOKS",
          href: "/settings/webhooks",
          label: "Webhooks",
          icon: <Webhook className="ic" aria-hidden="true" />,
        },
        {
          id: "REFERENCE",
          href: "/docs",
          label: "API reference",
          icon: <BookOpen className="ic" aria-hidden="true" />,
        },
        ...(view.hasSandboxPage ? [SANDBOX] : []),
      ],
    },
  ];
}

const SANDBOX: NavigationItem = {
  id: "SANDBOX",
  href: "/sandbox",
  label: "Sandbox bank",
  icon: <FlaskConical className="ic" aria-hidden="true" />,
};
