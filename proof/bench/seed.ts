import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "@/lib/platform/config";
import { openListScene, sizesOf } from "./api/scene";

const USAGE = `npm run bench:seed -- [--transfers 10000000] [--others 2000000]

Makes a database of its own in the data folder, with one organization whose lists are as long as that, and leaves it
there: start Sluice on it and look.
`;

/** Fills long lists; takes some minutes for ten million transfers. */
export async function seed(): Promise<void> {
  const { values } = parseArgs({
    options: {
      transfers: { type: "string", default: "10000000" },
      others: { type: "string", default: "2000000" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const dataDirectory = join(loadConfig(process.env).dataDirectory, "bench", "lists");
  await mkdir(dataDirectory, { recursive: true });
  process.stdout.write(`Seeding ${values.transfers} transfers in ${dataDirectory}.\n`);
  const startedAt = performance.now();
  const sizes = sizesOf(Number(values.transfers), Number(values.others));
  const scene = await openListScene(dataDirectory, { keys: 1, sizes });
  const minutes = (performance.now() - startedAt) / 60_000;
  const [operating] = scene.pods;
  await scene.close();
  process.stdout.write(`Done in ${minutes.toFixed(1)} minutes. Start Sluice on it:

    SLUICE_DATA_DIR='${dataDirectory}' SLUICE_DEMO=0 npm start

and read page 1,000:

    curl -s 'http://localhost:3000/platform/v1/transfers?accountId=${operating}&page=1000' \\
      -H 'Authorization: Bearer ${scene.keys[0]?.text}'
`);
}
