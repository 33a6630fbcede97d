import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const checksSchema = z.array(
  z.looseObject({
    id: z.string(),
    status: z.enum(["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]),
    description: z.string().optional(),
    errorMessage: z.string().optional(),
  }),
);

export interface Check {
  id: string;
  status: z.infer<typeof checksSchema>[number]["status"];
  /** In a sentence; of a failure, why. */
  message: string;
  /** All that the suite wrote down about it. */
  found: string;
}

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
    found.set(scenario, await readChecks(join(folder, name, RESULTS)));
  }
  const announced = [...printed.matchAll(ANNOUNCED)].map(([, scenario = ""]) => scenario);
  if (announced.length === 0) throw new Error(`The suite ran nothing:\n${printed}`);
  return announced.map((scenario) => ({ scenario, checks: found.get(scenario) ?? [brokenDown(scenario)] }));
}

async function readChecks(path: string): Promise<Check[]> {
  const checks = checksSchema.parse(JSON.parse(await readFile(path, "utf8")));
  return checks.map((check) => ({
    id: check.id,
    status: check.status,
    message: check.errorMessage ?? check.description ?? "",
    found: JSON.stringify(check),
  }));
}

function brokenDown(scenario: string): Check {
  const message = "The scenario broke down.";
  return { id: scenario, status: "FAILURE", message, found: message };
}
