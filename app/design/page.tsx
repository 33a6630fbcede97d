import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EXAMPLE_NAMES, isExampleName } from "@/app/design/example-names";
import { Example } from "@/app/design/gallery";
import { pageClass } from "@/components/layout/page-class";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { PAGE_TITLE } from "@/components/ui/text-styles";

export const metadata: Metadata = { title: "Design" };

/**
 * Every screen and state with example data. Not part of the product: only in development, and for the picture tests
 * (SLUICE_DESIGN_PAGE).
 */
export default async function DesignPage({
  searchParams,
}: {
  searchParams: Promise<{ show?: string | string[] }>;
}) {
  if (process.env.NODE_ENV === "production" && process.env.SLUICE_DESIGN_PAGE !== "1") notFound();
  const { show } = await searchParams;
  if (isExampleName(show)) return <Example name={show} />;
  return (
    <main className={pageClass({ frame: "focus" })}>
      <h1 className={PAGE_TITLE}>Every screen in every state</h1>
      <LinkList>
        {EXAMPLE_NAMES.map((name) => (
          <li key={name}>
            <Link href={`/design?show=${name}`}>{name}</Link>
          </li>
        ))}
      </LinkList>
    </main>
  );
}
