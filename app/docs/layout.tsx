import type { ReactNode } from "react";
import { currentMember } from "@/app/auth/member";
import { ReferenceFrame } from "@/components/docs/reference-frame";
import { getRuntime } from "@/lib/next/runtime";
import "@/app/styles/pages/docs.css";

/** The API reference, for anybody: it says nothing that the code does not. Members see the way back. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const isMember = (await currentMember()) !== null;
  return (
    <ReferenceFrame reference={getRuntime().reference} isMember={isMember}>
      {children}
    </ReferenceFrame>
  );
}
