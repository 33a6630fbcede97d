/**
 * A program that uses the embedded database of a folder until it is asked to leave (a line on its input) or killed. Run
 * by `embedded-process.ts`, bundled as the product is.
 */
import { startEmbedded } from "@/lib/db/embedded";

const [dataDirectory = "", graceMs = ""] = process.argv.slice(2);
const server = await startEmbedded({ dataDirectory, fsync: false, graceMs: Number(graceMs) });
process.stdin.once("data", () => void server.leave().then(() => process.exit(0)));
process.stdout.write("open\n");
