import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { BatchFromFile } from "@/app/transfers/batch/_components/batch-from-file";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { MAXIMUM_BATCH_LINES } from "@/lib/contract/limits";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { mayDecide } from "@/lib/core/shared/permits";
import { listBatchSources } from "@/lib/views/transfers/list-batch-sources";

export const metadata: Metadata = { title: "Move money from a file" };

export default memberPage({
  at: "/transfers/batch",
  current: "MOVEMENTS",
  load: async (reading) => ({
    canPropose: mayDecide(reading.context.actor),
    formId: newFormId(reading.context),
    sources: await listBatchSources(reading),
  }),
  show: ({ view: { canPropose, formId, sources } }) => (
    <>
      <Crumb ways={[{ href: "/transfers", label: "Movements" }]} here="From a file" />
      {canPropose ? (
        <>
          <PageHead
            title="Move money from a file"
            lede={`A CSV file of up to ${MAXIMUM_BATCH_LINES} payments becomes one batch. You see every line first, and sign the batch on its own page, where lines can be struck out.`}
          />
          <BatchFromFile formId={formId} sources={sources} />
        </>
      ) : (
        <PageHead title="Owners and co-owners move money" lede="Ask one of them to propose the file." />
      )}
    </>
  ),
});
