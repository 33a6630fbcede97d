import {
  ArrowRight,
  CreditCard,
  Keyboard,
  KeyRound,
  Landmark,
  Moon,
  Sun,
  SunMoon,
  UserPlus,
  Waypoints,
} from "lucide-react";
import type { ReactNode } from "react";
import { matchesWords, type PaletteEntry, type PaletteGroup } from "@/components/palette/palette-entry";
import { navigationOf } from "@/components/shell/navigation";
import { FlowIcon, GateClosedIcon, GateOpenIcon, PodIcon } from "@/components/ui/icons";
import { formatCents } from "@/lib/contract/format-cents";
import type { Theme } from "@/lib/contract/views/shell-view";

/** Where the palette is open, and for whom. */
export interface PalettePlace {
  organizationName: string;
  hasSandboxPage: boolean;
  /** Owners and co-owners; what others may not do is not offered to them. */
  mayChange: boolean;
  areGatesClosed: boolean;
}

interface Offer {
  id: string;
  icon: ReactNode;
  label: string;
  /** Other words by which somebody may look for it. */
  alsoCalled?: string;
  note: ReactNode;
  does: PaletteEntry["does"];
}

/** Pages that have no place in the navigation of their own. */
const FURTHER_PAGES: readonly { href: string; label: string }[] = [
  { href: "/transfers/cards", label: "Card transactions" },
  { href: "/transfers/outside", label: "External transactions" },
  { href: "/settings/beneficiaries", label: "Beneficiaries" },
  { href: "/settings/notifications", label: "Notifications" },
  { href: "/settings/security", label: "Security" },
  { href: "/settings/year-end", label: "Year end" },
  { href: "/help", label: "Help" },
];

const THEMES: readonly { theme: Theme; label: string; icon: ReactNode }[] = [
  { theme: "LIGHT", label: "Light theme", icon: <Sun className="ic" aria-hidden="true" /> },
  { theme: "DARK", label: "Dark theme", icon: <Moon className="ic" aria-hidden="true" /> },
  { theme: "SYSTEM", label: "Theme of the device", icon: <SunMoon className="ic" aria-hidden="true" /> },
];

/** What the palette offers without asking the server: what can be done, and every page. */
export function ownGroups(place: PalettePlace, query: string, amountInCents: number | null): PaletteGroup[] {
  const offered = doings(place).filter(({ label, alsoCalled }) =>
    matchesWords(query, `${label} ${alsoCalled ?? ""}`),
  );
  const moving = place.mayChange && amountInCents !== null ? [moveAmount(amountInCents)] : [];
  return [
    { title: "Do", entries: [...moving, ...offered] },
    { title: "Go to", entries: goings(place).filter(({ label }) => matchesWords(query, label)) },
  ].filter(({ entries }) => entries.length > 0);
}

function moveAmount(amountInCents: number): PaletteEntry {
  return {
    id: "move-amount",
    icon: <FlowIcon />,
    label: (
      <>
        Move <b>{formatCents(amountInCents)}</b>
      </>
    ),
    note: "opens the form",
    does: { kind: "GO", href: `/transfers/new?amountInCents=${amountInCents}` },
  };
}

function doings(place: PalettePlace): Offer[] {
  const gates: Offer = place.areGatesClosed
    ? { ...offer("gates", <GateOpenIcon />, "Open the gates", "/gates"), note: "everything is stopped" }
    : {
        ...offer("gates", <GateClosedIcon />, "Close all gates", "/gates"),
        note: "stops everything at once",
        does: { kind: "CLOSE_GATES" },
      };
  return [
    ...(place.mayChange ? [...changes(), gates] : []),
    ...THEMES.map(({ theme, label, icon }): Offer => {
      return { id: `theme-${theme}`, icon, label, note: "", does: { kind: "THEME", theme } };
    }),
    {
      id: "keys",
      icon: <Keyboard className="ic" aria-hidden="true" />,
      label: "List of keys",
      alsoCalled: "keyboard shortcuts help",
      note: <kbd>?</kbd>,
      does: { kind: "KEYS" },
    },
  ];
}

function changes(): Offer[] {
  return [
    {
      ...offer("move", <FlowIcon />, "Move money", "/transfers/new"),
      alsoCalled: "new transfer send pay",
      note: <kbd>M</kbd>,
    },
    { ...offer("pod", <PodIcon />, "New pod", "/accounts/new"), alsoCalled: "open account create" },
    {
      ...offer("rule", <Waypoints className="ic" aria-hidden="true" />, "New rule", "/rules/new"),
      alsoCalled: "create write template",
    },
    {
      ...offer(
        "key",
        <KeyRound className="ic" aria-hidden="true" />,
        "New API key",
        "/settings/api-keys/new",
      ),
      alsoCalled: "create",
    },
    {
      ...offer("card", <CreditCard className="ic" aria-hidden="true" />, "Issue a card", "/cards/new"),
      alsoCalled: "new create",
    },
    {
      ...offer("bank", <Landmark className="ic" aria-hidden="true" />, "Connect a bank", "/accounts/connect"),
      alsoCalled: "new link account connection",
    },
    {
      ...offer(
        "invite",
        <UserPlus className="ic" aria-hidden="true" />,
        "Invite a member",
        "/settings/members",
      ),
      alsoCalled: "add person people user",
    },
  ];
}

function offer(id: string, icon: ReactNode, label: string, href: string): Offer {
  return { id, icon, label, note: "", does: { kind: "GO", href } };
}

function goings(place: PalettePlace): Offer[] {
  const listed = navigationOf({
    organization: { id: "", name: place.organizationName },
    hasSandboxPage: place.hasSandboxPage,
  }).flatMap(({ title, items }) =>
    items.map(({ id, href, label, icon }): Offer => {
      return { id: `go-${id}`, icon, label, note: title ?? "", does: { kind: "GO", href } };
    }),
  );
  const further = FURTHER_PAGES.map(({ href, label }) =>
    offer(`go-${href}`, <ArrowRight className="ic" aria-hidden="true" />, label, href),
  );
  return [...listed, ...further];
}
