import { Chapter, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import { MAXIMUM_BODY_BYTES, REQUESTS_PER_MINUTE } from "@/lib/contract/limits";

export const rateLimits: Guide = {
  slug: "rate-limits",
  title: "Rate limits",
  chapter: "Working with it",
  heading: `Each key has ${REQUESTS_PER_MINUTE} requests per clock minute`,
  lede: "Every request with a valid key counts, including refused ones and replays. The window is a clock minute; then the count starts again.",
  words: "RATE_LIMIT_EXCEEDED 429 Retry-After RateLimit RateLimit-Policy backoff jitter",
  Content,
};

function Content() {
  return (
    <>
      <GuideCode
        label="On every answer"
        text={`RateLimit-Policy: "per-key";q=${REQUESTS_PER_MINUTE};w=60\nRateLimit: "per-key";r=98;t=41`}
      />
      <Prose text="`r` is how many requests are left, `t` the seconds until the window ends." />
      <Chapter title="Over the limit">
        <GuideCode
          label="429"
          text={`Retry-After: 20\n\n{ "error": { "code": "RATE_LIMIT_EXCEEDED", "message": "…" } }`}
        />
        <Points
          items={[
            "Wait as many seconds as `Retry-After` says, plus random jitter.",
            "The request was not started: send it again with the same idempotency-key.",
            "Limits are per key: give each integration its own.",
          ]}
        />
      </Chapter>
      <Chapter title="Size">
        <Prose text={`A body is at most ${MAXIMUM_BODY_BYTES / 1024} KiB, else 413 \`PAYLOAD_TOO_LARGE\`.`} />
      </Chapter>
    </>
  );
}
