import { Chapter, type Guide, GuideCode } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import type { ReferenceView } from "@/lib/contract/views/reference-view";

export const typescriptClient: Guide = {
  slug: "typescript-client",
  title: "TypeScript client",
  chapter: "Working with it",
  heading: "A client that retries without moving money twice",
  lede: "`@sluice/client` is in `clients/typescript` of Sluice's source: types generated from the OpenAPI document, no dependencies, Node 20 or newer.",
  words:
    "@sluice/client createWebhookReceiver verifyWebhook SluiceError waitForTransfer eachItem types npm openapi",
  Content,
};

function Content({ reference: { baseUrl } }: { reference: ReferenceView }) {
  return (
    <>
      <GuideCode
        label="Build it, then install it from your project"
        text={"npm --prefix clients/typescript run build\nnpm install /path/to/sluice/clients/typescript"}
      />
      <GuideCode
        label="TypeScript"
        text={`import { Sluice, SluiceError } from "@sluice/client";

const sluice = new Sluice({
  baseUrl: "${baseUrl}",
  apiKey: process.env.SLUICE_KEY ?? "",
  calledReason: "Weekly bookkeeping",
});

try {
  const { data: transfer } = await sluice.createTransfer({
    sourceAccountId, destinationAccountId,
    amountInCents: 125_000,
    reasonForApproval: "Sets aside the estimated tax for the fourth quarter.",
  });
  const settled = await sluice.waitForTransfer(transfer.id, { timeoutMs: 600_000 });
  console.log(settled.status);
} catch (error) {
  if (error instanceof SluiceError) console.error(error.code, error.message, error.requestId);
  else throw error;
}`}
      />
      <Chapter title="What it does for you">
        <Prose text="Each write gets an idempotency-key that stays the same for all attempts. Lost answers, 500 and 429 are retried at most four times, after `Retry-After` and with jitter. A refusal is a `SluiceError` with `code`, `status`, `requestId`, `details` and `retryAfterSeconds`; a missing answer is a `SluiceConnectionError` with the `idempotencyKey` to retry with." />
      </Chapter>
      <Chapter title="Whole lists">
        <GuideCode
          label="TypeScript"
          text={`import { eachItem } from "@sluice/client";

const readPage = (page: number) => sluice.listTransfers({ accountId: [id], page, pageSize: 100 });
for await (const transfer of eachItem(readPage, { maximumItems: 1_000 })) console.log(transfer.id);`}
        />
      </Chapter>
      <Chapter title="Receiving">
        <Prose text="`createWebhookReceiver` and `verifyWebhook` verify what Sluice sends and drop duplicates: see [Webhooks](/docs/webhooks)." />
      </Chapter>
      <Chapter title="Another language">
        <Prose text="The [OpenAPI 3.1 document](/docs) describes everything here. It needs no key." />
      </Chapter>
    </>
  );
}
