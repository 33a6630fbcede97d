"use client";

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { PANEL } from "@/components/layout/panel";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { DecisionButtons, useSecondPress } from "@/components/parts/approvals/decision-buttons";
import {
  type Blocked,
  balancesChanged,
  DecisionNoteBox,
  hasSigned,
} from "@/components/parts/approvals/decision-notice";
import { SignatureSegments } from "@/components/parts/approvals/signature-segments";
import { useDecision } from "@/components/parts/approvals/use-decision";
import { WithdrawSignature } from "@/components/parts/approvals/withdraw-signature";
import { formatTimeLeft, percentLeft } from "@/components/time/time-left";
import { Gauge } from "@/components/ui/gauge";
import { useKeys, useKeysRest } from "@/components/ui/single-keys/use-keys";
import type { TimeContext } from "@/lib/contract/time-context";

/** Rendered on the server, so that this page's scripts format no money. */
export interface DecisionMoves {
  /** Terms and amounts, for the panel. */
  list: ReactNode;
  /** One sentence, for the bar on phones. */
  line: string;
  /** E.g. `$4,250.00`; null when nothing moves or it was not computed. */
  amount: string | null;
}

interface DecisionIslandProps {
  proposalId: string;
  digest: string;
  kind: "TRANSFER" | "RULE_RUN";
  /** `$52.74 from Operating to Profit` */
  what: string;
  /** What approving moves. */
  moves: DecisionMoves;
  /** Starts or is the field for a lower amount; null: all of it or nothing. */
  less: ReactNode;
  /** It is the field. */
  isLowering: boolean;
  /** The lower amount that the page shows to approve; null: all that was proposed. */
  loweredInCents: number | null;
  sourceName: string;
  requesterName: string;
  /** A key or an assistant, which reads why it was denied. */
  isProgram: boolean;
  /** The address asks for the denial, as the notification's button does. */
  opensDenial: boolean;
  hasPasskey: boolean;
  /** Until then a recent sign-in confirms; null: it does not. */
  freshUntil: string | null;
  /** Why it cannot be approved now, or null. Denying remains possible. */
  blockedBecause: Blocked | null;
  /** Signatures that a policy asks for; null: this decision alone counts. */
  signing: { givenCount: number; neededCount: number; line: string } | null;
  createdAt: string;
  expiresAt: string;
  /** `Closes Sat 21 Nov, 08:40.` */
  closes: string;
  /** Server time when the page was rendered: `11:26`. */
  renderedClock: string;
  balances: { name: string; nowInCents: number | null }[];
  time: TimeContext;
}

// Most proposals are approved, so the other dialogs load on demand.
const DenyDialog = lazy(() =>
  import("@/components/parts/approvals/decision-dialogs").then((module) => ({ default: module.DenyDialog })),
);
const TypedConfirmationDialog = lazy(() =>
  import("@/components/parts/approvals/decision-dialogs").then((module) => ({
    default: module.TypedConfirmationDialog,
  })),
);

/** Approve is disabled this long after numbers change, so that nobody confirms numbers they have not seen. */
const SETTLE_MS = 1_000;

/** The decision: a panel on the right, a bar at the bottom on phones, and their dialogs. */
export function DecisionIsland(props: DecisionIslandProps) {
  const { proposalId, digest, time, blockedBecause } = props;
  const flow = useDecision({
    proposalId,
    digest,
    approvedAmountInCents: props.loweredInCents,
    time,
    opensDenial: props.opensDenial,
  });
  const change = useChange(digest, props.balances, props.renderedClock);
  const leftMs = useTimeLeft(time.nowAt, props.expiresAt);
  const refreshAtTheEnd = useRef(flow.refresh);
  refreshAtTheEnd.current = flow.refresh;

  useEffect(() => {
    if (leftMs === 0) refreshAtTheEnd.current();
  }, [leftMs]);

  const canApprove = mayApprove({ ...change, blockedBecause, leftMs, busyWith: flow.busyWith });
  const means = useMeans(props, time.nowAt);
  const second = useSecondPress(canApprove);
  useKeys(
    {
      // A key alone never decides: the first press only brings the button to the fore.
      a: () => canApprove && (second.isArmed ? void flow.approve() : second.arm()),
      d: () => flow.busyWith === null && flow.openNote(),
    },
    second.disarm,
  );
  useKeysRest([digest, props.blockedBecause, change.isSettling]);

  const wholeMs = Date.parse(props.expiresAt) - Date.parse(props.createdAt);
  const timeLeft = formatTimeLeft(leftMs);
  const notice = flow.notice ?? change.notice;
  const noteBox = (place: "panel" | "bar") => (
    <DecisionNoteBox
      place={place}
      notice={notice}
      blockedBecause={blockedBecause}
      onRecoveryCode={flow.openRecoveryCode}
    />
  );
  const isApproving = flow.busyWith === "APPROVE";
  const buttons = (place: "panel" | "bar") => (
    <DecisionButtons
      place={place}
      means={means}
      approve={{
        label: isApproving
          ? props.signing
            ? "Signing"
            : "Approving"
          : withMeans(approvesWords(props), means),
        isBusy: isApproving,
        canPress: canApprove,
        onPress: flow.approve,
      }}
      deny={{ label: "Deny", canPress: flow.busyWith === null, onPress: flow.openNote }}
      second={second}
      pressAgain={`Press again to ${props.signing ? "sign" : "approve"} ${props.moves.amount ?? props.what}.`}
      withdraw={
        hasSigned(blockedBecause) ? <WithdrawSignature proposalId={proposalId} place={place} /> : null
      }
    />
  );

  return (
    <>
      <section
        className={`${PANEL} print:hidden max-sm:hidden! max-[381px]:[&_kbd]:hidden [&_.button_+_.button]:mt-2.5`}
        aria-labelledby="decision"
      >
        <h2 className="sr-only" id="decision">
          Your decision
        </h2>
        <div className="flex items-baseline justify-between mb-2.5 [&_b]:text-[17px] [&_b]:font-semibold">
          <b>
            {props.signing
              ? `${props.signing.givenCount} of ${props.signing.neededCount} signatures`
              : `${timeLeft} left`}
          </b>
          <span className="text-sm text-ink-3">{props.signing ? `${timeLeft} left` : "to decide"}</span>
        </div>
        {props.signing ? (
          <SignatureSegments given={props.signing.givenCount} needed={props.signing.neededCount} />
        ) : (
          <Gauge percent={percentLeft(leftMs, wholeMs)} tone="waiting" label={`${timeLeft} left to decide`} />
        )}
        <p className="text-sm text-ink-3 mx-0 mt-2 mb-4">
          {props.signing
            ? `${props.signing.line} ${props.closes}`
            : `${props.closes} Without a decision, it is denied and nothing moves.`}
        </p>
        {props.isLowering ? props.less : null}
        {props.moves.list}
        {noteBox("panel")}
        {buttons("panel")}
        {props.isLowering || !props.less ? null : <div className="mt-3.5">{props.less}</div>}
        {props.signing ? (
          <p className="mt-3.5 text-sm text-ink-3">One denial ends it, even after others have signed.</p>
        ) : null}
      </section>

      <StickyBar label="Your decision">
        {noteBox("bar")}
        <BarFacts>
          <span>{props.signing?.line || props.moves.line}</span>
          <span>{timeLeft}</span>
        </BarFacts>
        {buttons("bar")}
      </StickyBar>

      <Suspense>
        {flow.step.kind === "NOTE" ? (
          <DenyDialog
            kind={props.kind}
            what={props.what}
            amount={props.moves.amount}
            sourceName={props.sourceName}
            requesterName={props.requesterName}
            isProgram={props.isProgram}
            time={time}
            isBusy={flow.busyWith === "DENY"}
            notice={flow.notice}
            onDeny={flow.deny}
            onRecoveryCode={flow.openRecoveryCode}
            onClose={flow.close}
          />
        ) : null}
        {flow.step.kind === "TYPED" ? (
          <TypedConfirmationDialog
            means={flow.step.means}
            withCode={flow.step.withCode}
            decision={flow.step.intent.decision}
            kind={props.kind}
            what={props.what}
            isBusy={flow.busyWith !== null}
            error={flow.notice?.text ?? null}
            onSubmit={flow.submitTyped}
            onClose={flow.close}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** `Approve`, or `Sign $3,000.00` of more. */
function approvesWords({ signing, loweredInCents, moves }: DecisionIslandProps): string {
  const verb = signing ? "Sign" : "Approve";
  return loweredInCents === null ? verb : `${verb} ${moves.amount}`;
}

interface Approvable {
  blockedBecause: Blocked | null;
  isSettling: boolean;
  leftMs: number;
  busyWith: ReturnType<typeof useDecision>["busyWith"];
}

/** Whether Approve can be pressed: nobody confirms what is blocked, has changed a moment ago, expired, or is being decided. */
export function mayApprove({ blockedBecause, isSettling, leftMs, busyWith }: Approvable): boolean {
  return blockedBecause === null && !isSettling && leftMs > 0 && busyWith === null;
}

/** Detects what changed after a refresh (balances, checks, amounts), and disables Approve for a moment. */
function useChange(digest: string, balances: DecisionIslandProps["balances"], renderedClock: string) {
  const [seen, setSeen] = useState(balances);
  const [seenDigest, setSeenDigest] = useState(digest);
  const [changedNames, setChangedNames] = useState<string[]>([]);
  const [isSettling, setIsSettling] = useState(false);
  const changed = balances.filter(({ nowInCents }, index) => seen[index]?.nowInCents !== nowInCents);
  if (changed.length > 0) {
    setSeen(balances);
    setChangedNames(changed.map(({ name }) => name));
    setIsSettling(true);
  }
  if (seenDigest !== digest) {
    setSeenDigest(digest);
    setIsSettling(true);
  }

  useEffect(() => {
    if (!isSettling) return;
    const timer = setTimeout(() => setIsSettling(false), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isSettling]);

  return {
    isSettling,
    notice: changedNames.length > 0 ? balancesChanged(changedNames, renderedClock) : null,
  };
}

const TICK_MS = 10_000;

/**
 * Milliseconds until `endsAt`, counted from the server's `nowAt` with the browser's monotonic clock. The browser's
 * date is not used: it may be wrong, and business time may be ahead of it.
 */
export function useTimeLeft(nowAt: string, endsAt: string): number {
  const leftAtRender = Date.parse(endsAt) - Date.parse(nowAt);
  const [leftMs, setLeftMs] = useState(leftAtRender);

  useEffect(() => {
    const startedAt = performance.now();
    const tick = () => setLeftMs(leftAtRender - (performance.now() - startedAt));
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [leftAtRender]);

  return Math.max(0, leftMs);
}
