import { execFile, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectPath } from "@/lib/platform/project-path";

/**
 * Runs `go` with this machine's compiler, without the network for modules. Fetches Go the first time on a machine that
 * has none.
 * @returns what it printed
 */
export async function runGo(parameters: string[], cwd: string, input = ""): Promise<string> {
  const { stdout: go } = await promisify(execFile)(process.execPath, [projectPath("scripts/go.mjs")]);
  const cache = join(dirname(projectPath("package.json")), ".build", "go-cache");
  const settings = { GOCACHE: cache, GOPATH: join(cwd, "path"), GOTOOLCHAIN: "local", GOPROXY: "off" };
  return new Promise((resolve, reject) => {
    const child = spawn(go, parameters, { cwd, env: { ...process.env, ...settings, CGO_ENABLED: "0" } });
    let printed = "";
    let problems = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    child.stderr.on("data", (chunk) => {
      problems += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(printed) : reject(new Error(problems))));
    child.stdin.end(input);
  });
}
