import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { SUBLINE } from "@/components/ui/text-styles";
import type { PreviewedPayee } from "@/lib/contract/payees/payee-file";

/** What an import would add, line by line; lines with problems first, because they need a person. */
export function ImportPreview({
  payees,
  children,
}: {
  payees: readonly PreviewedPayee[];
  children: ReactNode;
}) {
  const wrong = payees.filter(({ problem }) => problem !== null);
  const ready = payees.filter(({ problem }) => problem === null);
  return (
    <Section
      id="preview"
      title={ready.length === 1 ? "1 payee to import" : `${ready.length} payees to import`}
      fact={wrong.length === 0 ? null : `${wrong.length} with problems are left out`}
    >
      <Table
        className="mt-2"
        caption="What the file adds"
        rows={[...wrong, ...ready]}
        keyOf={({ line }) => line}
        columns={[
          { head: "Line", header: true, cell: ({ line }) => line },
          {
            head: "Payee",
            className: "wrap-anywhere",
            cell: ({ name, email }) => (
              <>
                {name === "" ? <span className="text-ink-3">No name</span> : name}
                {email ? <span className={SUBLINE}>{email}</span> : null}
              </>
            ),
          },
          {
            head: "Account",
            className: "wrap-anywhere",
            cell: ({ problem, account }) =>
              problem ? (
                <span className="text-red">{problem}</span>
              ) : (
                (account ?? <span className="text-ink-3">Entered through a link</span>)
              ),
          },
        ]}
      />
      {children}
    </Section>
  );
}
