import { movedInCents, RunAmounts, RunSteps } from "@/app/rules/[id]/_components/run-steps";
import { RunNowButton } from "@/app/rules/[id]/run/_components/run-now-button";
import { COLUMNS_WITH_WIDE_SIDE } from "@/components/layout/columns";
import { SideColumn } from "@/components/layout/side-column";
import { Amount } from "@/components/money/amount";
import { SmallNetwork } from "@/components/parts/rules/small-network";
import { formatClock } from "@/components/time/format-instant";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { RunNowView } from "@/lib/views/rules/preview-run-now";
import { accountName } from "@/lib/words/rules/number-words";
import { unknownWords } from "@/lib/words/rules/trace-words";

interface RunNowPageProps {
  view: RunNowView;
  /** The amount in the URL, as typed. */
  given: string;
  isUnreadable: boolean;
}

/** Asks whether to run the rule now, with a preview above the button. */
export function RunNowPage({ view, given, isUnreadable }: RunNowPageProps) {
  const { rule, forecast, accounts, definition, time } = view;
  return (
    <div>
      <h1 className={PAGE_TITLE}>Run {rule.name} now?</h1>
      <p className={`${LEDE} mt-2`}>
        Version {view.version}. Running it counts as approval. Floors still apply.
      </p>
      <div className={`${COLUMNS_WITH_WIDE_SIDE} mt-10`}>
        <div className="[&>section:first-child]:mt-0">
          <AmountForm view={view} given={given} isUnreadable={isUnreadable} />
          {forecast.kind === "PLANNED" ? (
            <>
              <RunSteps rule={definition} plan={forecast.plan} names={accounts} isForecast />
              <RunAmounts
                rule={definition}
                facts={forecast.facts}
                plan={forecast.plan}
                names={accounts}
                isForecast
              />
              <p className="text-sm text-ink-3 mt-3">
                From the balances at {formatClock(forecast.facts.at, time)}. Recalculated when it runs.
              </p>
            </>
          ) : (
            <Note>
              {unknownWords(forecast.missing, accounts)} It would wait and retry after 1 min, 5 min, 30 min
              and 2 h.
            </Note>
          )}
        </div>
        <SideColumn label="Run">
          <section aria-label="Drawing">
            <SmallNetwork
              rule={definition}
              plan={forecast.kind === "PLANNED" ? forecast.plan : null}
              names={accounts}
              incomingAmountInCents={
                forecast.kind === "PLANNED" ? forecast.facts.incomingAmountInCents : null
              }
            />
          </section>
          <Decision view={view} isUnreadable={isUnreadable} />
        </SideColumn>
      </div>
    </div>
  );
}

/** A plain form: the amount is in the URL, and the page previews it. */
function AmountForm({ view, given, isUnreadable }: Pick<RunNowPageProps, "view" | "given" | "isUnreadable">) {
  const source = accountName(view.accounts, view.definition.trigger.accountId);
  return (
    <form
      className="grid grid-cols-[minmax(0,400px)_auto] items-start justify-start gap-3 mb-10 max-sm:grid-cols-1 [&_.button]:mt-6 max-sm:[&_.button]:mt-0"
      method="get"
    >
      <InputField
        label="Starting amount"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        placeholder={`The available balance of ${source}`}
        defaultValue={given}
        hint={`Percentages are based on it. Leave empty for the available balance of ${source}.`}
        error={isUnreadable ? "Enter an amount like $7,100.00." : null}
      />
      <Button kind="outlined" type="submit">
        Preview
      </Button>
    </form>
  );
}

function Decision({ view, isUnreadable }: Omit<RunNowPageProps, "given">) {
  const { rule, state, forecast, version, incomingAmountInCents, requestId } = view;
  if (state !== "ACTIVE") {
    return (
      <section aria-label="Why it can’t run">
        <Note>
          {state === "PAUSED"
            ? "It is paused because money that it had split was returned. It won’t run until someone resumes it."
            : "This rule is not active. Activate it, or try a dry run."}
        </Note>
        <p className="mt-3">
          <Link
            className={buttonClass({ kind: "outlined" })}
            href={state === "PAUSED" ? view.pausedHref : rule.href}
          >
            {state === "PAUSED" ? "View returned transfer" : "View rule"}
          </Link>
        </p>
      </section>
    );
  }
  return (
    <section aria-label="Run">
      <p>{forecast.kind === "PLANNED" ? <Moves plan={forecast.plan} /> : "It would wait first."}</p>
      {isUnreadable ? (
        <Note>The amount is invalid, so it can’t run.</Note>
      ) : (
        <RunNowButton
          // Another amount is another request, which needs its own confirmation.
          key={requestId}
          subject={{ ruleId: rule.id, version, incomingAmountInCents, requestId }}
          title={
            incomingAmountInCents === null
              ? `Run ${rule.name} now`
              : `Run ${rule.name} with ${formatCents(incomingAmountInCents)}`
          }
          label={
            incomingAmountInCents === null ? "Run now" : `Run with ${formatCents(incomingAmountInCents)}`
          }
          confirms={view}
          cancelHref={rule.href}
        />
      )}
    </section>
  );
}

function Moves({ plan }: { plan: RulePlan }) {
  const inCents = movedInCents(plan);
  const isStopping = plan.moves.some(({ outcome }) => outcome === "FAILED");
  if (inCents === 0) {
    return (
      <>{isStopping ? "Right now, it would stop and move nothing." : "Right now, it would move nothing."}</>
    );
  }
  return (
    <>
      Right now, it would move <Amount cents={inCents} size="xl" />
      {isStopping ? " and stop at the failure." : null}
    </>
  );
}
