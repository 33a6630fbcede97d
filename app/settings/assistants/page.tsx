import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { AssistantsList } from "@/app/settings/assistants/_components/assistants-list";
import { listAssistants } from "@/lib/core/keys/list-assistants";

export const metadata: Metadata = { title: "Assistants" };

export default memberPage({
  search: ({ disconnected }) => ({ showsEnded: disconnected === "show" }),
  at: "/settings/assistants",
  current: "ASSISTANTS",
  load: ({ services, context, time }, search) => listAssistants(services, context, { ...search, time }),
  show: ({ view }) => <AssistantsList view={view} />,
});
