import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EXAMPLE_NAMES, isExampleName } from "@/app/design/example-names";
import { Example } from "@/app/design/gallery";
import { Link } from "@/components/ui/link";
import "@/app/styles/pages/sign.css";
import "@/app/styles/pages/mailbox.css";
import "@/app/styles/pages/settings.css";
import "@/app/styles/pages/accounts.css";
import "@/app/styles/pages/assistants.css";
import "@/app/styles/pages/webhooks.css";
import "@/app/styles/pages/rules.css";
import "@/app/styles/pages/sandbox.css";
import "@/app/styles/pages/cards.css";
import "@/app/styles/pages/movements.css";
import "@/app/styles/pages/overview.css";
import "@/app/styles/pages/onboarding.css";

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
    <main className="focus">
      <h1 className="h1">Every screen in every state</h1>
      <ul className="rl">
        {EXAMPLE_NAMES.map((name) => (
          <li key={name}>
            <Link href={`/design?show=${name}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </main>
  );
}
