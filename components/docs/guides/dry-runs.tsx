import { Chapter, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

export const dryRuns: Guide = {
  slug: "dry-runs",
  title: "Dry runs",
  chapter: "Working with it",
  heading: "Rehearse before you move money",
  lede: "With `simulation: true`, a call takes the live path up to the booking and stops. It moves nothing, holds nothing, asks nobody, and reports the outcome of the live call.",
  words: "simulation SIMULATION executionMode test sandbox",
  Content,
};

function Content() {
  return (
    <>
      <GuideCode label="In the body" text={`"simulation": true`} />
      <Points
        items={[
          "It is checked like the live call: fields, accounts, the key's routes and limits. What would be refused live is refused here.",
          "A transfer is recorded with `executionMode: SIMULATION` and is `COMPLETE` at once, with status 200. Its `errorCode` and `errorMessage` report the present outcome of the live transfer: `INSUFFICIENT_FUNDS`, `BELOW_FLOOR`, `BALANCE_UNAVAILABLE`, `GATES_CLOSED`, `ABOVE_DAILY_CAP` (it would wait for approval), `RATE_LIMIT_EXCEEDED` (too many proposals wait). Both are null where it would complete.",
          "It never needs approval, even with a key that does.",
          "It sends no event and appears in lists only with `executionMode=SIMULATION`.",
          "A dry run of a rule uses the amounts that you give and answers with its outcome; `live` says whether the same call would start without `simulation`, wait for approval or be refused. See the guide to rules.",
          "It describes this moment. Balances change, and it cannot foresee a bank's decision.",
        ]}
      />
      <Chapter title="In this reference">
        <Prose text="Where an operation has a dry run, “Try it” makes one unless you switch it off." />
      </Chapter>
    </>
  );
}
