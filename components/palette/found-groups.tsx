import { CreditCard, KeyRound, Landmark, Play, Plug, Send, Users, Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import type { PaletteEntry, PaletteGroup } from "@/components/palette/palette-entry";
import { Flow } from "@/components/sluice/flow";
import type { SluiceState } from "@/components/sluice/sluice-state";
import { formatMoment } from "@/components/time/format-instant";
import { formatTimeLeft } from "@/components/time/format-time-left";
import { GateClosedIcon, PodIcon } from "@/components/ui/icons";
import { formatCents } from "@/lib/contract/format-cents";
import type { FoundThingView, FoundTransferView, SearchView } from "@/lib/contract/views/search-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

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
  RULE: { title: "Rules", icon: <Waypoints className="ic" aria-hidden="true" />, over: "deleted" },
  RUN: { title: "Runs of rules", icon: <Play className="ic" aria-hidden="true" />, over: "over" },
  API_KEY: { title: "API keys", icon: <KeyRound className="ic" aria-hidden="true" />, over: "revoked" },
  ASSISTANT: { title: "Assistants", icon: <Plug className="ic" aria-hidden="true" />, over: "disconnected" },
  CARD: { title: "Cards", icon: <CreditCard className="ic" aria-hidden="true" />, over: "closed" },
  MEMBER: { title: "Members", icon: <Users className="ic" aria-hidden="true" />, over: "removed" },
  CONNECTION: {
    title: "Connected banks",
    icon: <Landmark className="ic" aria-hidden="true" />,
    over: "disconnected",
  },
};

/** What the server found, by what it is. @param query as typed: its place in a name is marked */
export function foundGroups(found: SearchView, query: string): PaletteGroup[] {
  const { ofThisAmount, transfersOfThisId, things, time } = found;
  const groups: PaletteGroup[] = [
    { title: "This amount", entries: ofThisAmount.map((each) => transferEntry(each, "amount", time)) },
    {
      title: "Transfers of this id",
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

function transferEntry(
  transfer: FoundTransferView,
  foundBy: "amount" | "id",
  time: TimeContext,
): PaletteEntry {
  const amount = formatCents(transfer.amountInCents);
  return {
    id: `${foundBy}-${transfer.id}`,
    icon: transfer.expiresAt ? <GateClosedIcon /> : <Send className="ic" aria-hidden="true" />,
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

/** A text with what was looked for marked in it, where it is there. */
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
