import {
  ArrowRight,
  CreditCard,
  Keyboard,
  KeyRound,
  Landmark,
  Moon,
  Play,
  Plug,
  Send,
  Sun,
  SunMoon,
  UserPlus,
  Users,
  Waypoints,
} from "lucide-react";
import type { ReactNode } from "react";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { navigationOf } from "@/components/shell/navigation";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { formatMoment } from "@/components/time/format-instant";
import { formatTimeLeft } from "@/components/time/time-left";
import { FlowIcon, GateClosedIcon, GateOpenIcon, PodIcon } from "@/components/ui/icons";
import type { Theme } from "@/lib/contract/browser/setting";
import { formatCents } from "@/lib/contract/format-cents";
import type {
  FoundProposalView,
  FoundThingView,
  FoundTransferView,
  SearchView,
} from "@/lib/contract/search/found";
import type { TimeContext } from "@/lib/contract/time-context";

export interface PalettePlace {
  organizationName: string;
  hasSandboxPage: boolean;
  hasCards: boolean;
  /** Owners and co-owners; others are not offered what they may not do. */
  mayChange: boolean;
  areGatesClosed: boolean;
}

interface Offer {
  id: string;
  icon: ReactNode;
  label: string;
  /** More search terms. */
  alsoCalled?: string;
  note: ReactNode;
  does: PaletteEntry["does"];
}

/** Pages outside the navigation. */
const FURTHER_PAGES: readonly { href: string; label: string }[] = [
  { href: "/transfers/cards", label: "Card transactions" },
  { href: "/transfers/outside", label: "External transactions" },
  { href: "/audit/activity", label: "People’s activity" },
  { href: "/settings/beneficiaries", label: "Beneficiaries" },
  { href: "/settings/notifications", label: "Notifications" },
  { href: "/settings/security", label: "Security" },
  { href: "/settings/year-end", label: "Year end" },
  { href: "/settings/fraud-monitoring", label: "Fraud monitoring" },
  { href: "/help", label: "Help" },
];

/** What people type for a page of the navigation. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  "/approvals": "approve deny decide proposals pending waiting",
  "/transfers": "transactions transfers payments",
  "/audit": "requests errors activity",
};

const THEMES: readonly { theme: Theme; label: string; icon: ReactNode }[] = [
  { theme: "LIGHT", label: "Light theme", icon: <Sun aria-hidden="true" /> },
  { theme: "DARK", label: "Dark theme", icon: <Moon aria-hidden="true" /> },
  { theme: "SYSTEM", label: "Theme of the device", icon: <SunMoon aria-hidden="true" /> },
];

/** Commands and pages, offered without the server. */
export function ownGroups(place: PalettePlace, query: string, amountInCents: number | null): PaletteGroup[] {
  const offered = doings(place).filter(({ label, alsoCalled }) =>
    matchesWords(query, `${label} ${alsoCalled ?? ""}`),
  );
  const moving = place.mayChange && amountInCents !== null ? [moveAmount(amountInCents)] : [];
  return [
    { title: "Do", entries: [...moving, ...offered] },
    {
      title: "Go to",
      entries: goings(place).filter(({ label, alsoCalled }) =>
        matchesWords(query, `${label} ${alsoCalled ?? ""}`),
      ),
    },
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
        note: "stops everything at once, cards too",
        does: { kind: "CLOSE_GATES" },
      };
  return [
    ...(place.mayChange ? [...changes(place), gates] : []),
    ...THEMES.map(({ theme, label, icon }): Offer => {
      return { id: `theme-${theme}`, icon, label, note: "", does: { kind: "THEME", theme } };
    }),
    {
      id: "keys",
      icon: <Keyboard aria-hidden="true" />,
      label: "Keyboard shortcuts",
      alsoCalled: "keyboard shortcuts help",
      note: <kbd>?</kbd>,
      does: { kind: "KEYS" },
    },
  ];
}

function changes({ hasCards }: PalettePlace): Offer[] {
  return [
    {
      ...offer("move", <FlowIcon />, "Move money", "/transfers/new"),
      alsoCalled: "new transfer send pay",
      note: <kbd>M</kbd>,
    },
    { ...offer("pod", <PodIcon />, "New pod", "/accounts/new"), alsoCalled: "open account create" },
    {
      ...offer("rule", <Waypoints aria-hidden="true" />, "New rule", "/rules/new"),
      alsoCalled: "create write template",
    },
    {
      ...offer("key", <KeyRound aria-hidden="true" />, "New API key", "/settings/api-keys/new"),
      alsoCalled: "create",
    },
    ...(hasCards ? [ISSUE_CARD] : []),
    {
      ...offer("bank", <Landmark aria-hidden="true" />, "Connect a bank", "/accounts/connect"),
      alsoCalled: "new link account connection",
    },
    {
      ...offer("invite", <UserPlus aria-hidden="true" />, "Invite a member", "/settings/members"),
      alsoCalled: "add person people user",
    },
  ];
}

const ISSUE_CARD: Offer = {
  ...offer("card", <CreditCard aria-hidden="true" />, "Issue card", "/cards/new"),
  alsoCalled: "new create",
};

function offer(id: string, icon: ReactNode, label: string, href: string): Offer {
  return { id, icon, label, note: "", does: { kind: "GO", href } };
}

function goings(place: PalettePlace): Offer[] {
  const listed = navigationOf({
    organization: { id: "", name: place.organizationName },
    hasSandboxPage: place.hasSandboxPage,
    hasCards: place.hasCards,
  }).flatMap(({ title, items }) =>
    items.map(({ id, href, label, icon }): Offer => {
      const alsoCalled = ALSO_CALLED[href];
      const does = { kind: "GO", href } as const;
      return { id: `go-${id}`, icon, label, ...(alsoCalled && { alsoCalled }), note: title ?? "", does };
    }),
  );
  const further = FURTHER_PAGES.map(({ href, label }) =>
    offer(`go-${href}`, <ArrowRight aria-hidden="true" />, label, href),
  );
  return [...listed, ...further];
}

export interface PaletteEntry {
  id: string;
  icon: ReactNode;
  label: ReactNode;
  note: ReactNode;
  does:
    | { kind: "GO"; href: string }
    | { kind: "THEME"; theme: Theme }
    | { kind: "KEYS" }
    | { kind: "CLOSE_GATES" };
}

export interface PaletteGroup {
  title: string;
  entries: PaletteEntry[];
}

/**
 * Whether each typed word starts a word of the label: `new pod`, `mov`, `api k`. An empty query matches everything.
 * @param query in any case
 */
export function matchesWords(query: string, label: string): boolean {
  const words = wordsOf(label);
  return wordsOf(query).every((typed) => words.some((word) => word.startsWith(typed)));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,/-]+/)
    .filter((word) => word !== "");
}

const STATE: Record<FoundTransferView["status"], SluiceState> = {
  APPROVAL_PENDING: "closed",
  APPROVAL_DENIED: "denied",
  PROCESSING: "open",
  COMPLETE: "through",
  FAILED: "denied",
  CANCELLED: "expired",
  RETURNED: "denied",
};

const STATUS_WORD: Record<FoundTransferView["status"], string> = {
  APPROVAL_PENDING: "waits",
  APPROVAL_DENIED: "denied",
  PROCESSING: "on its way",
  COMPLETE: "settled",
  FAILED: "failed",
  CANCELLED: "cancelled",
  RETURNED: "returned",
};

const KINDS: Record<FoundThingView["kind"], { title: string; icon: ReactNode; over: string }> = {
  ACCOUNT: { title: "Accounts", icon: <PodIcon />, over: "closed" },
  RULE: { title: "Rules", icon: <Waypoints aria-hidden="true" />, over: "deleted" },
  RUN: { title: "Rule runs", icon: <Play aria-hidden="true" />, over: "over" },
  API_KEY: { title: "API keys", icon: <KeyRound aria-hidden="true" />, over: "revoked" },
  ASSISTANT: { title: "Assistants", icon: <Plug aria-hidden="true" />, over: "disconnected" },
  CARD: { title: "Cards", icon: <CreditCard aria-hidden="true" />, over: "closed" },
  MEMBER: { title: "Members", icon: <Users aria-hidden="true" />, over: "removed" },
  CONNECTION: {
    title: "Connected banks",
    icon: <Landmark aria-hidden="true" />,
    over: "disconnected",
  },
};

/** Search results by kind. @param query marked in the names */
export function foundGroups(found: SearchView, query: string, mayDecide: boolean): PaletteGroup[] {
  const { waiting, ofThisAmount, transfersOfThisId, things, time } = found;
  const groups: PaletteGroup[] = [
    {
      title: mayDecide ? "Needs your decision" : "Waiting for approval",
      entries: waiting.map((each) => proposalEntry(each, time)),
    },
    { title: "Matching amount", entries: ofThisAmount.map((each) => transferEntry(each, "amount", time)) },
    {
      title: "Matching ID",
      entries: transfersOfThisId.map((each) => transferEntry(each, "id", time)),
    },
  ];
  for (const thing of things) {
    const { title } = KINDS[thing.kind];
    const group = groups.find((candidate) => candidate.title === title);
    if (group) group.entries.push(thingEntry(thing, query));
    else groups.push({ title, entries: [thingEntry(thing, query)] });
  }
  return groups.filter(({ entries }) => entries.length > 0);
}

function proposalEntry({ id, href, subject, expiresAt }: FoundProposalView, time: TimeContext): PaletteEntry {
  const left = formatTimeLeft(Date.parse(expiresAt) - Date.parse(time.nowAt));
  const amount = subject.amountInCents === null ? "Can’t run now" : formatCents(subject.amountInCents);
  return {
    id: `waiting-${id}`,
    icon: <GateClosedIcon />,
    label: <Flow {...endsOf(subject)} state="closed" />,
    note: `${amount}, ${left} left`,
    does: { kind: "GO", href },
  };
}

function transferEntry(
  transfer: FoundTransferView,
  foundBy: "amount" | "id",
  time: TimeContext,
): PaletteEntry {
  const amount = formatCents(transfer.amountInCents);
  return {
    id: `${foundBy}-${transfer.id}`,
    icon: transfer.expiresAt ? <GateClosedIcon /> : <Send aria-hidden="true" />,
    label: (
      <Flow
        from={transfer.sourceName}
        to={transfer.destinationName}
        state={transfer.isDryRun ? "sim" : STATE[transfer.status]}
      />
    ),
    note: (
      <>
        {foundBy === "amount" ? <mark>{amount}</mark> : amount} {stateWords(transfer, time)}
      </>
    ),
    does: { kind: "GO", href: transfer.href },
  };
}

function stateWords(
  { status, isDryRun, createdAt, expiresAt }: FoundTransferView,
  time: TimeContext,
): string {
  if (expiresAt) return `waits, ${formatTimeLeft(Date.parse(expiresAt) - Date.parse(time.nowAt))} left`;
  return `${isDryRun ? "dry run" : STATUS_WORD[status]}, ${formatMoment(createdAt, time)}`;
}

function thingEntry(thing: FoundThingView, query: string): PaletteEntry {
  const { icon, over } = KINDS[thing.kind];
  const number = thing.last4 ? `••••${thing.last4}` : "";
  return {
    id: `${thing.kind}-${thing.id}`,
    icon,
    label: <Marked text={thing.name} part={query} />,
    note: [number, thing.isOver ? over : ""].filter((word) => word !== "").join(", "),
    does: { kind: "GO", href: thing.href },
  };
}

/** A text with its match marked. */
function Marked({ text, part }: { text: string; part: string }) {
  const looked = part.trim().toLowerCase();
  const at = looked === "" ? -1 : text.toLowerCase().indexOf(looked);
  if (at === -1) return <span>{text}</span>;
  const end = at + looked.length;
  return (
    <span>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </span>
  );
}
