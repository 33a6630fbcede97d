import { Chapter, type Guide, GuideCode, Prose } from "@/components/docs/guide";

import type { ReferenceView } from "@/lib/contract/views/reference-view";

export const typescriptClient: Guide = {
  slug: "typescript-client",
  title: "TypeScript client",
  chapter: "Working with it",
  heading: "A client that retries without moving money twice",
  lede: "`@sluice/client` is in `clients/typescript` of Sluice's sources: types made from the OpenAPI document, no dependencies, Node 20 and newer.",
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
        <Prose text="Each write gets an idempotency-key, which stays the same over all attempts. Lost answers, 500 and 429 are tried again, at most four times, as late as `Retry-After` asks and with a random share. A refusal is a `SluiceError` with `code`, `status`, `requestId`, `details` and `retryAfterSeconds`; no answer at all is a `SluiceConnectionError` with the `idempotencyKey` to go on with." />
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
        <Prose text="`createWebhookReceiver` and `verifyWebhook` check what Sluice sends to you, and drop what came before: see [Webhooks](/docs/webhooks)." />
      </Chapter>
      <Chapter title="Another language">
        <Prose text="The [OpenAPI 3.1 document](/docs) describes everything here. It needs no key." />
      </Chapter>
    </>
  );
}
