import { z } from "zod";

/** Contents of `demo.json` in the data folder (README, "The demo"): what opens the demo organization. */
export const demoDescriptionSchema = z.object({
  appUrl: z.string(),
  apiUrl: z.string(),
  mcpUrl: z.string(),
  members: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
  apiKey: z.string(),
  accounts: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
});
export type DemoDescription = z.infer<typeof demoDescriptionSchema>;

/** In the data folder. */
export const DEMO_FILE = "demo.json";
