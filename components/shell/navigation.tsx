import {
  BookOpen,
  CircleHelp,
  CreditCard,
  FlaskConical,
  KeyRound,
  Landmark,
  Plug,
  Users,
  Waypoints,
  Webhook,
} from "lucide-react";
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
export function navigationOf(
  view: Pick<ShellView, "hasSandboxPage" | "organization">,
): readonly NavigationGroup[] {
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
    { title: view.organization.name, items: OF_THE_ORGANIZATION },
  ];
}

const SANDBOX: NavigationItem = {
  id: "SANDBOX",
  href: "/sandbox",
  label: "Sandbox bank",
  icon: <FlaskConical className="ic" aria-hidden="true" />,
};

const OF_THE_ORGANIZATION: readonly NavigationItem[] = [
  {
    id: "MEMBERS",
    href: "/settings/members",
    label: "Members",
    icon: <Users className="ic" aria-hidden="true" />,
  },
  {
    id: "BENEFICIARIES",
    href: "/settings/beneficiaries",
    label: "Beneficiaries",
    icon: <Landmark className="ic" aria-hidden="true" />,
  },
  { id: "HELP", href: "/help", label: "Help", icon: <CircleHelp className="ic" aria-hidden="true" /> },
];
