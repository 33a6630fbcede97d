declare module "*.mdx" {
  import type { ComponentType } from "react";
  import type { GuideParts } from "@/app/docs/_components/guide-parts";

  const Content: ComponentType<{ components: GuideParts }>;
  export default Content;
}
