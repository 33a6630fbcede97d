import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

export const idempotency: Guide = {
  slug: "idempotency",
  title: "Idempotency",
  chapter: "Start",
  heading: "A retry never moves money twice",
  lede: "Give each write a key that you choose. If the answer is lost, send the same request with the same key: it happens once, and you get the first answer.",
  words:
    "idempotency-key Idempotent-Replayed IDEMPOTENCY_KEY_MISMATCH TRANSFER_IN_PROGRESS retry timeout 24 hours",
  Content,
};

const OUTCOMES = [
  [
    "same key, same request",
    "The first answer again, with its status, and `Idempotent-Replayed: true`. Nothing happens twice.",
  ],
  ["same key, another request", "400 `IDEMPOTENCY_KEY_MISMATCH`."],
  ["same key, first still in progress", "409 `TRANSFER_IN_PROGRESS`. Wait a moment and send it again."],
  [
    "same key, first was refused",
    "A refusal (400, 401, 403, 404, 409, 413, 429) leaves the key unused: fix the request and use it again.",
  ],
  ["same key after 24 hours", "A new operation."],
] as const;

function Content() {
  return (
    <>
      <GuideCode label="Header" text="idempotency-key: 8d0f1f0e-6a43-4a3b-9f1c-2f4f2f5ad0b7" />
      <Prose text="1 to 36 characters: letters, digits and `. _ : / | -`. Use a UUID v4 that you store with the intent, or a name for the intent itself (`invoice-322`). It counts within one API key, one operation and one path." />
      <Prose text="One key for each intent, kept for all its retries. A new key for every attempt (`$(uuidgen)` in a repeated command) makes each attempt a separate payment." />
      <Chapter title="What you get">
        <Facts caption="What a repeated key gets" head={["Sent", "Answered"]} rows={OUTCOMES} />
      </Chapter>
      <Chapter title="How to retry">
        <Points
          isOrdered
          items={[
            "Choose the key before you send, and store it with the intent.",
            "After a timeout, a broken connection or a 500, the outcome is unknown: send the same request with the same key.",
            "Wait longer before each attempt, with random jitter.",
            "A new intent needs a new key, also after a denied or expired approval.",
          ]}
        />
        <Prose text="The [TypeScript client](/docs/typescript-client) does all of this." />
      </Chapter>
    </>
  );
}
