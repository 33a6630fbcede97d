"use client";

import { useState } from "react";
import { allowConnection, refuseConnection } from "@/app/connect/[uid]/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useAction } from "@/components/act/use-action";
import { PANEL } from "@/components/layout/panel";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { Button } from "@/components/ui/button";
import { Initials } from "@/components/ui/initials";
import { Note } from "@/components/ui/note";
import { LINK, MONO, SUBLINE } from "@/components/ui/text-styles";
import { ROLE_WORD } from "@/lib/contract/members";
import { UNSAFE_SCHEMES } from "@/lib/contract/urls";
import type { ConsentView } from "@/lib/views/assistants/read-consent";

interface ConsentIslandProps {
  uid: string;
  organization: { id: string; name: string };
  member: ConsentView["member"];
  client: { name: string; goesBackTo: string; isLoopback: boolean };
}

type Decision = "ALLOW" | "REFUSE";

const UNKNOWN = outcomeUnknown("it may or may not be connected. Check under Assistants.");
const NOWHERE = "Its return address is one that Sluice does not open. Disconnect it under Assistants.";

/** The decision: a panel at the side; on phones, a bar at the bottom. */
export function ConsentIsland({ uid, organization, member, client }: ConsentIslandProps) {
  const [decided, setDecided] = useState<Decision | null>(null);
  const deciding = useAction(
    (decision: Decision, shown) =>
      decision === "ALLOW" ? allowConnection({ uid }, shown) : refuseConnection({ uid }, shown),
    {
      whenLost: UNKNOWN,
      onDone: (result, decision) => {
        if (result.kind === "OVER") return;
        const address = onwardAddress(result.url);
        if (address === null) return;
        // An app with its own scheme opens beside this page, so the page has to say what happened.
        setDecided(decision);
        window.location.assign(address);
      },
      afterwards: (router, { kind }) => {
        if (kind === "OVER") router.refresh();
      },
    },
  );
  const { result } = deciding;
  const nowhere = result && result.kind !== "OVER" && onwardAddress(result.url) === null ? NOWHERE : null;
  const buttons = { busyWith: deciding.isBusy ? deciding.input : null, decide: deciding.run };

  if (decided) return <Decided decision={decided} client={client} organizationName={organization.name} />;
  return (
    <>
      <section
        className={`${PANEL} print:hidden max-sm:hidden! max-[381px]:[&_kbd]:hidden [&_.button_+_.button]:mt-2.5`}
        aria-labelledby="agree"
      >
        <h2 className="text-sm text-ink-3" id="agree">
          You agree as
        </h2>
        <p className="flex items-center gap-3 min-w-0 mx-0 mt-2 mb-4 wrap-anywhere">
          <Initials name={member.name} isLarge />
          <span>
            <b>{member.name}</b>
            <span className={SUBLINE}>
              {ROLE_WORD[member.role]} of {organization.name}
            </span>
          </span>
        </p>
        <ConsentButtons place="panel" {...buttons} />
        <Refusal message={nowhere ?? deciding.message} />
        <p className="text-sm text-ink-3 mt-3.5">
          You can disconnect it at any time. If your role changes, what it may do changes with it.
        </p>
      </section>
      <StickyBar label="Your decision">
        <BarFacts>
          <span>
            As <b>{member.name}</b>, {ROLE_WORD[member.role].toLowerCase()}
          </span>
          <span className={client.isLoopback ? undefined : `${MONO} max-sm:text-right max-sm:wrap-anywhere`}>
            {client.goesBackTo}
          </span>
        </BarFacts>
        <Refusal message={nowhere ?? deciding.message} />
        <ConsentButtons place="bar" {...buttons} />
      </StickyBar>
    </>
  );
}

interface ConsentButtonsProps {
  place: "panel" | "bar";
  busyWith: Decision | null;
  decide: (decision: Decision) => void;
}

/** Without the program's name, so that a program cannot word our button. */
function ConsentButtons({ place, busyWith, decide }: ConsentButtonsProps) {
  const isPanel = place === "panel";
  const look = isPanel ? ({ size: "large", wide: true } as const) : {};
  const allow = (
    <Button
      key="allow"
      kind="primary"
      {...look}
      busy={busyWith === "ALLOW"}
      disabled={busyWith === "REFUSE"}
      onClick={() => decide("ALLOW")}
    >
      {busyWith === "ALLOW" ? "Connecting" : "Connect"}
    </Button>
  );
  const refuse = (
    <Button
      key="refuse"
      kind="outlined"
      {...look}
      busy={busyWith === "REFUSE"}
      disabled={busyWith === "ALLOW"}
      onClick={() => decide("REFUSE")}
    >
      Not now
    </Button>
  );
  return isPanel ? [allow, refuse] : [refuse, allow];
}

function Refusal({ message }: { message: string | null }) {
  return (
    <div
      className="[&:not(:empty)]:mt-3.5 max-sm:col-span-full max-sm:mt-0 max-sm:empty:hidden"
      role="status"
    >
      {message ? <Note tone="red">{message}</Note> : null}
    </div>
  );
}

interface DecidedProps {
  decision: Decision;
  client: ConsentIslandProps["client"];
  organizationName: string;
}

function Decided({ decision, client, organizationName }: DecidedProps) {
  const isAllowed = decision === "ALLOW";
  return (
    <div role="status">
      <section
        className={`${PANEL} max-sm:fixed max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:z-6 max-sm:px-5 max-sm:pt-5 max-sm:pb-[calc(20px_+_env(safe-area-inset-bottom))] max-sm:border-t-3 max-sm:border-r-0 max-sm:border-b-0 max-sm:border-l-0 max-sm:border-double max-sm:rounded-none`}
        aria-labelledby="decided"
      >
        <h2 className="text-base font-semibold" id="decided">
          {isAllowed ? "Connected" : "Not connected"}
        </h2>
        <p className="text-ink-2">
          {isAllowed ? `“${client.name}” is connected to ${organizationName}. ` : "Nothing was connected. "}
          You will return to {client.goesBackTo}. If nothing happens, return to the program yourself; you can
          close this page.
        </p>
        {isAllowed ? (
          <p className="mt-3.5">
            <a className={LINK} href="/settings/assistants">
              See what is connected
            </a>
          </p>
        ) : null}
      </section>
    </div>
  );
}

/**
 * Where the consent page may redirect: another site, a program on this machine, or an app by its scheme (`cursor://…`).
 * Null for what would run as our script: the client chose its return address.
 */
export function onwardAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return UNSAFE_SCHEMES.has(url.protocol) ? null : url.href;
}
