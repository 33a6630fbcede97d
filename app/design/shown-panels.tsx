import { FingerprintPattern } from "lucide-react";
import type { ReactNode } from "react";
import { FOR_A_VIEWER, inStatus, TIME, WAITING } from "@/app/design/_components/approval-examples";
import { SHELL } from "@/app/design/_components/list-examples";
import { Row, type Shown, Stack } from "@/app/design/specimen";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { PANEL } from "@/components/layout/panel";
import { EndedPanel, ViewerPanel } from "@/components/parts/approvals/approval-panels";
import { DecisionIsland } from "@/components/parts/approvals/decision-island";
import { decisionMoves } from "@/components/parts/approvals/decision-moves";
import { ShutBand } from "@/components/parts/gates/shut-band";
import { StopGates } from "@/components/parts/gates/stop-gates";
import { formatWeekdayMoment } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { DIALOG_FACE } from "@/components/ui/dialog";
import { Gauge } from "@/components/ui/gauge";
import { Note } from "@/components/ui/note";
import { TITLE_FACE } from "@/components/ui/text-styles";
import type { ShellView } from "@/lib/views/read-shell";

const CLOSED: ShellView = {
  ...SHELL,
  closedGates: {
    closingId: "example",
    closedAt: "2026-11-20T16:20:00Z",
    closedByName: "Jonas",
    hasPasskey: true,
    time: TIME,
  },
};

export const SHOWN_PANELS: readonly Shown[] = [
  {
    name: "Decision panel, can decide",
    use: "For owners and co-owners while it waits: time left, what moves, then the two decisions.",
    states: (
      <Panel>
        <DecisionIsland
          proposalId={WAITING.id}
          digest={WAITING.digest}
          kind="TRANSFER"
          what="$4,250.00 from Operating to Taxes"
          moves={decisionMoves(WAITING, null)}
          less={null}
          isLowering={false}
          loweredInCents={null}
          sourceName="Operating"
          isProgram
          requesterName="claude-bookkeeping"
          opensDenial={false}
          hasPasskey
          freshUntil={null}
          blockedBecause={null}
          createdAt={WAITING.createdAt}
          expiresAt={WAITING.expiresAt}
          closes={`Closes ${formatWeekdayMoment(WAITING.expiresAt, TIME)}.`}
          renderedClock="11:26"
          balances={[]}
          time={TIME}
        />
      </Panel>
    ),
  },
  {
    name: "Decision panel, waiting for the passkey",
    use: "While the device asks who sits here: the button keeps its place and its focus, and Deny waits with it.",
    states: (
      <Panel>
        <section
          className={`${PANEL} print:hidden max-[381px]:[&_kbd]:hidden [&_.button_+_.button]:mt-2.5`}
          aria-label="Waiting for the passkey"
        >
          <div className="flex items-baseline justify-between mb-2.5 [&_b]:text-[17px] [&_b]:font-semibold">
            <b>21 h 14 min left</b>
            <span className="text-sm text-ink-3">to decide</span>
          </div>
          <Gauge percent={88} tone="waiting" label="21 h 14 min left to decide" />
          <p className="text-sm text-ink-3 mx-0 mt-2 mb-4">
            Closes Sat 21 Nov, 08:40. Without a decision, it is denied and nothing moves.
          </p>
          <Button kind="primary" size="large" wide busy>
            <FingerprintPattern />
            Approving
          </Button>
          <Button kind="outlined" size="large" wide disabled>
            Deny
          </Button>
        </section>
      </Panel>
    ),
  },
  {
    name: "Decision panel, may not decide",
    use: "For a viewer: who decides, and until when.",
    states: (
      <Panel>
        <ViewerPanel view={FOR_A_VIEWER} />
      </Panel>
    ),
  },
  {
    name: "Decision panel, decided",
    use: "Who decided, when and how, and the way to what waits next.",
    states: (
      <Panel>
        <EndedPanel view={inStatus("SETTLED")} inboxHref="/design?show=inbox" />
        <EndedPanel view={inStatus("DENIED")} inboxHref="/design?show=inbox" />
      </Panel>
    ),
  },
  {
    name: "Decision panel, expired",
    use: "It expired without a decision, so nothing moved.",
    states: (
      <Panel>
        <EndedPanel view={inStatus("EXPIRED")} inboxHref="/design?show=inbox" />
      </Panel>
    ),
  },
  {
    name: "Dialog",
    use: "One question over an inert page. The focus stays in it, and returns to what opened it.",
    states: (
      <Stack>
        <Boxed title="Deny this transfer?">
          <p className="mt-2 text-ink-2">$4,250.00 stays in Operating.</p>
          <div className={DIALOG_BUTTONS}>
            <Button kind="quiet">Cancel</Button>
            <Button kind="deny">Deny transfer</Button>
          </div>
        </Boxed>
        <Boxed title="Activate version 2?">
          <Note tone="red">
            <p>Not activated. What it would do has changed.</p>
          </Note>
          <div className={DIALOG_BUTTONS}>
            <Button kind="quiet">Cancel</Button>
            <Button kind="primary" busy>
              Activating
            </Button>
          </div>
        </Boxed>
      </Stack>
    ),
  },
  {
    name: "Instead of a toast",
    use: "There are no toasts: the result appears where the action was and stays, so that no reader misses it.",
    states: (
      <Stack>
        <Note tone="teal">Travel, ••4471, can spend from Operating now.</Note>
        <RefusalNote message={outcomeUnknown("the gates may not be closed. Press again.").message} />
      </Stack>
    ),
  },
  {
    name: "Gates band",
    use: "On every page while all gates are closed; owners and co-owners can open them.",
    states: (
      <Stack>
        <ShutBand view={CLOSED} />
        <ShutBand view={{ ...CLOSED, user: { ...CLOSED.user, role: "VIEWER" } }} />
      </Stack>
    ),
  },
  {
    name: "Stop button",
    use: "One tap stops everything, from every page. Closed, it leads to what was stopped.",
    states: (
      <Row>
        <StopGates view={SHELL} place="page" />
        <StopGates view={CLOSED} place="page" />
      </Row>
    ),
  },
];

/** As wide as its column. */
function Panel({ children }: { children: ReactNode }) {
  return <div className="max-w-[352px] pt-4 [&>*+*]:mt-4">{children}</div>;
}

/** A dialog that covers nothing, since this page shows both of its states at once. */
function Boxed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${DIALOG_FACE} max-w-120`} aria-label={title}>
      <h3 className={`${TITLE_FACE} text-[26px]/8`}>{title}</h3>
      {children}
    </section>
  );
}
