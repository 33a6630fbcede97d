import { Chapter, Facts, type Guide, GuideCode } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import { ERROR_STATUS } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";

const CODES = Object.entries(ERROR_HELP).map(([code, help]) => ({ code, ...help }));
const STATUS = new Map<string, number>(Object.entries(ERROR_STATUS));

export const errors: Guide = {
  slug: "errors",
  title: "Errors",
  chapter: "Start",
  heading: "Every refusal says what to do",
  lede: "`code` is for programs and never changes; `message` is for people and says what would be right.",
  words: `status codes 400 401 403 404 409 413 429 500 ${CODES.map(({ code }) => code).join(" ")}`,
  Content,
};

function Content() {
  return (
    <>
      <GuideCode
        label="A refusal"
        text={`{
  "error": {
    "code": "INVALID_PARAMETERS",
    "message": "amountInCents: must be at least 100 cents.",
    "details": [{ "field": "amountInCents", "message": "must be at least 100 cents" }]
  }
}`}
      />
      <Prose text="`details` lists each problem. Every answer has an `X-Request-Id` header: quote it when something is wrong. An unknown path or method is answered with 404 in plain text." />
      <Chapter title="All codes">
        <Facts
          caption="All error codes with their HTTP status"
          head={["Code", "HTTP", "Means", "What to do"]}
          rows={CODES.map(
            ({ code, meaning, action }) => [code, String(STATUS.get(code)), meaning, action] as const,
          )}
        />
      </Chapter>
      <Chapter title="Order of checks">
        <Prose text="Path and method, key (401), rate (429), headers and fields (400), the kind of permission (403), an earlier use of the idempotency-key, whether the resource exists (404; in a transfer's body 400), the key's lists and limits (403), and finally the operation's own rules. A request is checked completely before anything is done." />
      </Chapter>
      <Chapter title="Not errors">
        <Prose text="`APPROVAL_PENDING` and `APPROVAL_DENIED` are statuses. So is `FAILED`: without enough money a transfer is accepted and fails a moment later, with its reason in `errorCode`." />
      </Chapter>
    </>
  );
}
