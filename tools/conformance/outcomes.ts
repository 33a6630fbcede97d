import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const checksSchema = z.array(
  z.object({
    id: z.string(),
    status: z.enum(["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]),
    description: z.string().optional(),
    errorMessage: z.string().optional(),
  }),
);

export type Check = z.infer<typeof checksSchema>[number];

/** What the suite found in one scenario. */
export interface Outcome {
  scenario: string;
  checks: Check[];
}

const RESULTS = "checks.json";
const FOLDER = /^(?:authorization-server|server)-(.+)-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;
const ANNOUNCED = /^=== Running scenario: (.+) ===$/gm;

/**
 * Reads what a run of the suite left in its folder, in the order in which it ran.
 * @param printed what it said; a scenario that it announced and that left nothing behind broke down
 */
export async function readOutcomes(folder: string, printed: string): Promise<Outcome[]> {
  const found = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = FOLDER.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`The suite names its results in another way: ${name}`);
    found.set(scenario, checksSchema.parse(JSON.parse(await readFile(join(folder, name, RESULTS), "utf8"))));
  }
  const announced = [...printed.matchAll(ANNOUNCED)].map(([, scenario = ""]) => scenario);
  if (announced.length === 0) throw new Error(`The suite ran nothing:\n${printed}`);
  return announced.map((scenario) => ({ scenario, checks: found.get(scenario) ?? [brokenDown(scenario)] }));
}

function brokenDown(scenario: string): Check {
  return { id: scenario, status: "FAILURE", errorMessage: "The scenario broke down." };
}
