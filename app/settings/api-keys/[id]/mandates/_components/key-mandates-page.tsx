import { Plus } from "lucide-react";
import { Crumb } from "@/components/layout/crumb";
import { LinkedTable } from "@/components/layout/linked-table";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { MandateStatus } from "@/components/parts/mandates/mandate-status";
import { Flow } from "@/components/sluice/row-sluice";
import { formatDate } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { SUBLINE } from "@/components/ui/text-styles";
import { newMandateHref } from "@/lib/contract/hrefs";
import type { KeyMandatesPageView } from "@/lib/views/mandates/list-key-mandates";

/** Every mandate of a key, newest first, with what it moved. */
export function KeyMandatesPage({ view: { key, rows, viewer, time } }: { view: KeyMandatesPageView }) {
  return (
    <>
      <Crumb
        ways={[
          { href: "/settings/api-keys", label: "API keys" },
          { href: key.href, label: key.name },
        ]}
        here="Mandates"
      />
      <PageHead
        title={`Mandates of ${key.name}`}
        lede="What it may do by itself, what it asked for, and what is over."
        actions={
          viewer.canDecide && key.mayHave ? (
            <PageActions>
              <Link className={buttonClass({ kind: "outlined" })} href={newMandateHref(key.id)}>
                <Plus />
                New mandate
              </Link>
            </PageActions>
          ) : null
        }
      />
      {rows.length === 0 ? (
        <Empty title="No mandates yet">
          {key.mayHave
            ? "Each transfer of this key waits for a person."
            : "This key needs none, or has ended: no transfer of it waits for a person."}
        </Empty>
      ) : (
        <LinkedTable
          caption="Mandates"
          rows={rows}
          link={({ href }) => href}
          columns={[
            {
              head: "What it may do by itself",
              header: true,
              cell: ({ sourceName, destinationName }) => (
                <Flow from={sourceName} to={destinationName} state="queued" layout="wrapping" />
              ),
              about: ({ brief }) => <span className={SUBLINE}>{brief}</span>,
            },
            {
              head: "State",
              phone: "BELOW",
              cell: ({ standing }) => <MandateStatus standing={standing} time={time} />,
            },
            {
              head: "Until",
              phone: "HIDDEN",
              columnClass: "whitespace-nowrap text-ink-2",
              cell: ({ until }) => formatDate(until, time),
            },
            { head: "Uses", kind: "NUMBER", phone: "HIDDEN", cell: ({ useCount }) => useCount },
            { head: "Moved", kind: "MONEY", cell: ({ usedInCents }) => usedInCents },
          ]}
        />
      )}
    </>
  );
}
