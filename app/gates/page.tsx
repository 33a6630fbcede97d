import type { Metadata } from "next";
import { GatesPage } from "@/app/gates/_components/gates-page";
import { memberPage } from "@/app/member-page";
import { readGatesPage } from "@/lib/views/gates/read-gates-page";

export const metadata: Metadata = { title: "Gates" };

export default memberPage({
  at: "/gates",
  current: null,
  load: readGatesPage,
  show: ({ view, shell }) => <GatesPage view={view} shell={shell} />,
});
