import type { ReactNode } from "react";
import { currentMember } from "@/app/auth/member";
import { ReferenceFrame } from "@/app/docs/_components/reference-frame";
import { getRuntime } from "@/lib/next/runtime";

/** Public: it contains nothing that the source code does not. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const isMember = (await currentMember()) !== null;
  return (
    <ReferenceFrame reference={getRuntime().reference} isMember={isMember}>
      {children}
    </ReferenceFrame>
  );
}
