import type { Metadata } from "next";
import { cookies } from "next/headers";
import { currentSession, shownElsewhere } from "@/app/auth/member";
import { Elsewhere } from "@/components/shell/elsewhere";

export const metadata: Metadata = { title: "Another organization" };

/**
 * In place of a page that would show another organization than its tab did. Every page carries this one in its answer, so
 * it is empty where the two are the same.
 */
export default async function Forbidden() {
  // Never while building: there is no request then, and no runtime.
  await cookies();
  const session = await currentSession();
  const elsewhere = session && (await shownElsewhere(session));
  return elsewhere ? (
    <main id="main" className="focus">
      <Elsewhere view={elsewhere} />
    </main>
  ) : null;
}
