import { mkdir } from "node:fs/promises";
import { closeOnSignal } from "@/lib/api/launcher/close-on-signal";
import type { StartFacts } from "@/lib/api/launcher/describe-start";
import { openServer, type Pages } from "@/lib/api/launcher/open-server";
import { createOAuth } from "@/lib/api/oauth/app";
import { createFetchDocument } from "@/lib/api/oauth/fetch-document";
import { createSandboxReceivers } from "@/lib/api/sandbox/app";
import { createDemo } from "@/lib/core/demo/create-demo";
import { readDemoFile } from "@/lib/core/demo/demo-file";
import type { AuthorizationRequests } from "@/lib/core/keys/authorization-requests";
import { createCarryOutDue } from "@/lib/core/sandbox/carry-out-due";
import { createSandboxWorld } from "@/lib/core/sandbox/create-sandbox-world";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { isEverythingSimulated } from "@/lib/core/sandbox/is-everything-simulated";
import { moveReceivers } from "@/lib/core/sandbox/receiver";
import { requireNothingInvented } from "@/lib/core/sandbox/require-nothing-invented";
import { requireSameBank } from "@/lib/core/sandbox/require-same-bank";
import { verifyBank } from "@/lib/core/sandbox/verify-bank";
import { readMarks } from "@/lib/core/shared/read-marks";
import { CHANGING_WORK } from "@/lib/core/shared/work-names";
import { hasOrganization } from "@/lib/core/sign-in/sign-up";
import { dueWork, type Ports } from "@/lib/core/work/due-work";
import { followSecrets, readRotation } from "@/lib/core/work/renew-encryption";
import { settleSecrets } from "@/lib/core/work/settle-secrets";
import { openArchiver } from "@/lib/db/archive/archiver";
import { openBackupUpkeep } from "@/lib/db/backup/backup-upkeep";
import { openChangeSignals } from "@/lib/db/change-signals";
import { openDatabase } from "@/lib/db/database";
import { asSuperuser, clusterPath } from "@/lib/db/embedded-engine";
import { loadSecret } from "@/lib/db/secret";
import { openWorkers, type Workers } from "@/lib/db/workers";
import { createChangeWaits } from "@/lib/platform/change-waits";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { createEncryption } from "@/lib/platform/encryption";
import { keyedHashOf } from "@/lib/platform/keyed-hash";
import { createLog } from "@/lib/platform/log";
import { openTracing } from "@/lib/platform/observe/open-tracing";
import type { ProductSecrets } from "@/lib/platform/product-secrets";
import { readVersion } from "@/lib/platform/project-path";
import type { Services } from "@/lib/platform/services";
import type { WorkKind } from "@/lib/platform/work";
import { createAggregator } from "@/lib/ports/aggregator/create-aggregator";
import type { BankSimulations } from "@/lib/ports/bank/bank-simulations";
import { createBank, createSimulations } from "@/lib/ports/bank/create-bank";
import { createCardNetwork } from "@/lib/ports/cards/create-card-network";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { createMail, mailWay } from "@/lib/ports/messages/create-mail";
import { createSms, smsWay } from "@/lib/ports/messages/create-sms";
import { createWebPush, pushIdentityOf, pushSubject } from "@/lib/ports/messages/create-web-push";
import { createWebhookSender } from "@/lib/ports/webhooks/create-webhook-sender";

/** Sluice without its dashboard: the database, the due work and the API. */
export interface Product {
  services: Services;
  ports: Ports;
  sandbox: SandboxWorld | null;
  simulations: BankSimulations | null;
  secrets: ProductSecrets;
  /** What the consent page needs of the authorization server. */
  connections: AuthorizationRequests;
  start: StartFacts;
  /**
   * Answers requests from now on, and closes in order on SIGINT and SIGTERM.
   * @param pages the dashboard, for paths that no other transport owns; unset without the role
   */
  listen(pages?: Pages): Promise<void>;
}

/** Work that did something has changed something. */
const notingChanges =
  (noteChange: (workName: string) => void) =>
  (kind: WorkKind): WorkKind => ({
    ...kind,
    runBatch: async () => {
      const count = await kind.runBatch();
      if (count > 0) noteChange(kind.name);
      return count;
    },
  });

/** When a machine boots, everything starts at once; after this the service manager retries. */
const DATABASE_WAIT_MS = 60_000;

/**
 * Opens everything but the dashboard. A function of its own so that proofs and benchmarks run exactly what the
 * launcher runs, without a dashboard.
 * @param say progress, for the terminal
 */
export async function openProduct(config: Config, say: (line: string) => void): Promise<Product> {
  const log = createLog(config.logLevel);
  await mkdir(config.dataDirectory, { recursive: true });
  const secret = await loadSecret(config);
  say("Opening the database.");
  const tracing = config.hasTraces ? await openTracing(await readVersion(), log) : undefined;
  const database = await openDatabase({
    config: { ...config, secret },
    log,
    tracing,
    waitMs: DATABASE_WAIT_MS,
  });
  const { secrets, keys } = await settleSecrets({
    pool: database.pool,
    clock: systemClock,
    log,
    secret,
    previous: config.previousSecret,
    isLost: config.isSecretLost,
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  followSecrets({ pool: database.pool, log }, secrets);
  const archiver = config.archive
    ? openArchiver({
        connection: asSuperuser(database.connection),
        dataPath: clusterPath(config.dataDirectory),
        ...config.archive,
        recipients: config.backups.recipients,
        log,
      })
    : null;
  let workers: Workers | null = null;
  const bank = await createBank(config, database.pool);
  const keyName = config.increase ? "INCREASE_API_KEY" : config.mercury ? "MERCURY_API_TOKEN" : null;
  if (keyName) await requireNothingInvented(database.pool, { keyName, isSandbox: bank.isSandbox });
  await requireSameBank(database.pool, keyName ? bank : null, systemClock.now());
  await verifyBank(bank, log);
  const waits = createChangeWaits({ readMarks: (subjects) => readMarks(database.pool, subjects), log });
  const signals = openChangeSignals(database.connection, { onSignal: waits.noteChange, log });
  const noteChange = (workName: string) => {
    if (!CHANGING_WORK.includes(workName)) return;
    waits.noteChange();
    signals.send();
  };
  const services: Services = {
    pool: database.pool,
    clock: systemClock,
    log,
    appUrl: config.appUrl,
    authenticatorSecrets: createEncryption(secrets, "authenticator secrets"),
    documentKeys: createEncryption(secrets, "document keys"),
    accountHash: keyedHashOf(keys.accountHash),
    bankCapabilities: bank.capabilities,
    wake: (name) => {
      workers?.wake(name);
      noteChange(name);
    },
    waits,
  };
  const webhooks = createWebhookSender({ allowsPrivate: config.allowsPrivateWebhooks });
  const ports: Ports = {
    bank,
    aggregator: await createAggregator(config, secrets, database.pool),
    cards: createCardNetwork(config, database.pool),
    identity: createSandboxIdentity(database.pool),
    mail: createMail(config, database.pool, systemClock),
    sms: createSms(config, database.pool, systemClock),
    webhooks: {
      sender: webhooks,
      secrets: createEncryption(secrets, "webhook signing secrets"),
      allowsPrivate: config.allowsPrivateWebhooks,
    },
    push: {
      port: createWebPush({
        identity: pushIdentityOf(keys.push),
        subject: pushSubject(config),
        sender: webhooks,
      }),
      subscriptions: createEncryption(secrets, "push subscriptions"),
    },
    auditArchives: config.auditArchives,
  };
  // Orders that the bank returned in months of invented history would only fill the first screen.
  const quiet = log.isLevelEnabled("error") ? log.child({}, { level: "error" }) : log;
  const newDemo = config.demo ? await createDemo({ ...services, log: quiet }, ports, config) : null;
  if (newDemo) say("Made the demo organization, Northwind Studio.");
  // If any adapter is real, the clock must be real, and nothing is simulated beside it.
  const sandbox = isEverythingSimulated(ports, keyName)
    ? createSandboxWorld(database.pool, config.allowsPrivateWebhooks, createCarryOutDue(services, ports))
    : null;
  // Must run before the first delivery.
  if (sandbox?.hasReceiver && config.roles.api) await moveReceivers(services);
  const oauth = createOAuth(services, {
    productSecret: secrets,
    fetchDocument: createFetchDocument({ allowsPrivate: config.allowsPrivateWebhooks }),
  });
  const opened = openWorkers(dueWork(services, ports, secrets).map(notingChanges(noteChange)), {
    isWorker: config.roles.worker,
    connection: database.connection,
    log,
    tracing,
  });
  workers = opened;
  const backupUpkeep = config.roles.worker
    ? openBackupUpkeep({ connection: database.connection, backups: config.backups, log })
    : null;
  return {
    services,
    ports,
    sandbox,
    simulations: await createSimulations(config),
    secrets,
    connections: oauth.requests,
    start: {
      databaseDescription: database.description,
      demo: newDemo ?? (await readDemoFile(config)),
      isDemoNew: newDemo !== null,
      hasOrganization: await hasOrganization(services),
      mail: mailWay(config),
      sms: smsWay(config),
      rotation: await readRotation(database.pool),
    },
    listen: async (pages) => {
      const played = createSandboxReceivers(services, sandbox?.hasReceiver ?? false);
      const server = await openServer(services, config, { played, oauth, pages, tracing, sandbox });
      const release = () => {
        played.release();
        waits.close();
      };
      closeOnSignal(
        { server, release, workers: opened, signals, tracing, archiver, backupUpkeep, database, log },
        config.drainMs,
      );
    },
  };
}
