import { CircleMinus, Pause } from "lucide-react";
import type { ReactNode } from "react";
import { HookApproval, MakeHookSecret, RemoveHook } from "@/components/rules/hook-forms";

import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { CodeBox } from "@/components/ui/code-box";
import { ChevronIcon, GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { HookActions, HookFactsView, RuleHookView } from "@/lib/contract/views/rule-hook-view";

interface HookPageProps {
  view: RuleHookView;
  actions: HookActions;
}

/** How a program starts a rule: its address and secret, what it may do with them, and the ways to end that. */
export function HookPage({ view, actions }: HookPageProps) {
  const { rule, hook } = view;
  return (
    <div className="hookp">
      <p className="crumb">
        <Link href="/rules">Rules</Link>
        <ChevronIcon />
        <Link href={rule.href}>{rule.name}</Link>
        <ChevronIcon />
        <span>Let a program start it</span>
      </p>
      <HookHead view={view} actions={actions} />
      <p className="sentence display">
        <HookSentence view={view} />
      </p>
      <RuleState state={rule.state} />
      <div className="cols">
        <div>
          {hook ? <Asks view={view} hook={hook} actions={actions} /> : null}
          <Section id="how" title="How a program asks">
            <p className="ink2 hook-l">
              It sends the secret in a header, never in the address, and no content. With an idempotency key
              of its own for each event, asking twice starts the rule once.
            </p>
            <CodeBox label="A request to this hook">{curlOf(view.url)}</CodeBox>
            <p className="meta hook-n">
              Answers 202 with the run’s id. A rule that is not active answers 403, and nothing moves.
            </p>
          </Section>
        </div>
        <HookSide view={view} />
      </div>
    </div>
  );
}

function HookHead({ view, actions }: HookPageProps) {
  const { rule, hook, viewer, time } = view;
  return (
    <div className="page-h">
      <div>
        <h1 className="h1">Let a program start it</h1>
        {hook ? (
          <p className="ask-s">
            <Status tone="teal" icon={<GateOpenIcon />}>
              On
            </Status>
            <span>
              Secret made by {hook.madeByName} on <Moment at={hook.madeAt} time={time} format={formatDay} />
            </span>
            <span className="mono">sluice_hook_…{hook.secretLast4}</span>
          </p>
        ) : null}
      </div>
      {viewer.canDecide ? (
        <div className="page-a">
          <MakeHookSecret ruleId={rule.id} isNew={hook === null} actions={actions} />
          {hook ? <RemoveHook ruleId={rule.id} ruleName={rule.name} actions={actions} /> : null}
        </div>
      ) : null}
    </div>
  );
}

function HookSentence({ view: { rule, hook, viewer } }: { view: RuleHookView }): ReactNode {
  const approver = viewer.canDecide ? "you approve" : "an owner or co-owner approves";
  if (!hook) {
    return (
      <>
        No program can start <b>{rule.name}</b>. With a secret of its own, one can ask for it, and for nothing
        else. <b>Each time it waits until {approver}.</b>
      </>
    );
  }
  return (
    <>
      Whoever has the secret can ask for <b>{rule.name}</b>, and for nothing else.{" "}
      <b>
        {hook.approvalRequired
          ? `Each time it waits until ${approver}.`
          : "It runs at once, and nobody is asked."}
      </b>
    </>
  );
}

function RuleState({ state }: { state: RuleHookView["rule"]["state"] }) {
  if (state === "ACTIVE") return null;
  return (
    <Note>
      {state === "PAUSED"
        ? "This rule is paused, because money that it had routed came back. A program that asks is refused until somebody resumes it."
        : "This rule is not active. A program that asks is refused until somebody activates it."}
    </Note>
  );
}

function Asks({ view, hook, actions }: HookPageProps & { hook: HookFactsView }) {
  return (
    <Section id="asks" title="Approval">
      <HookApproval
        ruleId={view.rule.id}
        ruleName={view.rule.name}
        isOn={hook.approvalRequired}
        canDecide={view.viewer.canDecide}
        requestsPerMinute={view.requestsPerMinute}
        actions={actions}
      />
    </Section>
  );
}

function HookSide({ view }: { view: RuleHookView }) {
  const { hook, time, rule, viewer } = view;
  return (
    <aside className="side">
      <div className="side-in">
        <section aria-labelledby="state">
          <h2 className="h3" id="state">
            {hook ? "Last used" : "This rule"}
          </h2>
          <dl className="dl">
            {hook ? (
              <>
                <dt>When</dt>
                <dd>{hook.lastUsedAt ? <Moment at={hook.lastUsedAt} time={time} /> : "Never"}</dd>
              </>
            ) : null}
            <dt>{hook ? "The rule" : "State"}</dt>
            <dd>
              <StateOf state={rule.state} />
            </dd>
            <dt>At most</dt>
            <dd>{view.requestsPerMinute} requests a minute</dd>
          </dl>
        </section>
        <section aria-labelledby="secret">
          <h2 className="h3" id="secret">
            The secret
          </h2>
          <p className="ink2">{secretWords(hook !== null, viewer.canDecide)}</p>
        </section>
      </div>
    </aside>
  );
}

function secretWords(hasHook: boolean, canDecide: boolean): string {
  if (!canDecide) return "Only an owner or co-owner can make, replace or revoke it.";
  return hasHook
    ? "Sluice keeps only a fingerprint of it. A new one takes its place at once: the program has to be given it before it can ask again."
    : "It is shown once, when it is made. Sluice keeps only a fingerprint of it.";
}

function StateOf({ state }: { state: RuleHookView["rule"]["state"] }) {
  if (state === "ACTIVE") {
    return (
      <Status tone="teal" icon={<GateOpenIcon />}>
        Active
      </Status>
    );
  }
  return state === "PAUSED" ? (
    <Status tone="amber" icon={<Pause className="ic" />}>
      Paused
    </Status>
  ) : (
    <Status tone="mute" icon={<CircleMinus className="ic" />}>
      Not active
    </Status>
  );
}

/** The secret stays a variable of the shell: it is on no page that is loaded again. */
function curlOf(url: string): string {
  return [
    `curl -X POST ${url}`,
    `  -H "Authorization: Bearer $SLUICE_HOOK_SECRET"`,
    `  -H "idempotency-key: invoice-322"`,
  ].join(" \\\n");
}
