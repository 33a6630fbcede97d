declare module "*.mdx" {
  import type { ComponentType } from "react";
  import type { GuideParts } from "@/components/docs/guide-parts";

  const Content: ComponentType<{ components: GuideParts }>;
  export default Content;
}
