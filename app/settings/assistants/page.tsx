import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { AssistantsList } from "@/app/settings/assistants/_components/assistants-list";
import { listAssistants } from "@/lib/views/assistants/list-assistants";

export const metadata: Metadata = { title: "Assistants" };

export default memberPage({
  search: ({ disconnected }) => ({ showsEnded: disconnected === "show" }),
  at: "/settings/assistants",
  current: "ASSISTANTS",
  load: listAssistants,
  show: ({ view }) => <AssistantsList view={view} />,
});
