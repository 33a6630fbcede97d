import {
  BookOpen,
  ChartColumn,
  CreditCard,
  FlaskConical,
  HandCoins,
  House,
  KeyRound,
  Plug,
  ScrollText,
  Settings2,
  Users,
  Waypoints,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import type { NavigationId } from "@/components/shell/navigation-id";
import { FlowIcon, GateClosedIcon, PodIcon } from "@/components/ui/icons";
import type { ShellView } from "@/lib/views/read-shell";

export interface NavigationItem {
  id: NavigationId;
  href: string;
  label: string;
  icon: ReactNode;
}

export interface NavigationGroup {
  /** Null: the first group, which needs no name. */
  title: string | null;
  items: readonly NavigationItem[];
}

/** The list pages, in the order of the rail. */
export function navigationOf(
  view: Pick<ShellView, "hasSandboxPage" | "hasCards" | "organization">,
): readonly NavigationGroup[] {
  return [
    {
      title: null,
      items: [
        { id: "OVERVIEW", href: "/", label: "Overview", icon: <House aria-hidden="true" /> },
        { id: "APPROVALS", href: "/approvals", label: "Approvals", icon: <GateClosedIcon /> },
        { id: "ACCOUNTS", href: "/accounts", label: "Accounts", icon: <PodIcon /> },
        { id: "MOVEMENTS", href: "/transfers", label: "Movements", icon: <FlowIcon /> },
        { id: "PAYEES", href: "/payees", label: "Payees", icon: <HandCoins aria-hidden="true" /> },
        {
          id: "RULES",
          href: "/rules",
          label: "Rules",
          icon: <Waypoints aria-hidden="true" />,
        },
        ...(view.hasCards ? [CARDS] : []),
        {
          id: "PROFILE",
          href: "/profile",
          label: "Financial profile",
          icon: <ChartColumn aria-hidden="true" />,
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
          icon: <KeyRound aria-hidden="true" />,
        },
        {
          id: "ASSISTANTS",
          href: "/settings/assistants",
          label: "Assistants",
          icon: <Plug aria-hidden="true" />,
        },
        {
          id: "WEBHOOKS",
          href: "/settings/webhooks",
          label: "Webhooks",
          icon: <Webhook aria-hidden="true" />,
        },
        {
          id: "AUDIT",
          href: "/audit",
          label: "Audit log",
          icon: <ScrollText aria-hidden="true" />,
        },
        {
          id: "REFERENCE",
          href: "/docs",
          label: "API reference",
          icon: <BookOpen aria-hidden="true" />,
        },
        ...(view.hasSandboxPage ? [SANDBOX] : []),
      ],
    },
    { title: view.organization.name, items: OF_THE_ORGANIZATION },
  ];
}

const CARDS: NavigationItem = {
  id: "CARDS",
  href: "/cards",
  label: "Cards",
  icon: <CreditCard aria-hidden="true" />,
};

const SANDBOX: NavigationItem = {
  id: "SANDBOX",
  href: "/sandbox",
  label: "Sandbox bank",
  icon: <FlaskConical aria-hidden="true" />,
};

const OF_THE_ORGANIZATION: readonly NavigationItem[] = [
  {
    id: "MEMBERS",
    href: "/settings/members",
    label: "Members",
    icon: <Users aria-hidden="true" />,
  },
  {
    id: "SETTINGS",
    href: "/settings",
    label: "Settings",
    icon: <Settings2 aria-hidden="true" />,
  },
];

/** The pages with a tab of their own on phones; the others are under "More". */
export const TABS: readonly NavigationId[] = ["OVERVIEW", "APPROVALS", "ACCOUNTS", "RULES"];
