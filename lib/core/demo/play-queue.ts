import { newPayeeSchema } from "@/lib/contract/payee";
import { proposeBatch } from "@/lib/core/approvals/batches/propose-batch";
import { addOwnDocument } from "@/lib/core/approvals/documents/add-document";
import { asKey, withSignedIn } from "@/lib/core/demo/act-as";
import { askTransfer, TRANSFERS_PATH } from "@/lib/core/demo/ask-transfer";
import type { DemoBatch, DemoQueued } from "@/lib/core/demo/history-step";
import { invoicePdf } from "@/lib/core/demo/invoice-pdf";
import {
  type AccountName,
  ASSISTANT,
  MEMBERS,
  type MemberName,
  PAYEES,
  type PayeeName,
} from "@/lib/core/demo/northwind";
import { connectAssistant } from "@/lib/core/keys/connect-assistant";
import { saveRecord } from "@/lib/core/keys/oauth-records";
import { confirmPayee } from "@/lib/core/payees/decide-payee";
import { addPayee } from "@/lib/core/payees/give-details";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { permissionsOfRole } from "@/lib/core/shared/roles";
import { newId, newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { BankPort } from "@/lib/ports/bank/bank-port";

/** The bank of every payee: one of the numbers that the sandbox bank knows. */
const ROUTING_NUMBER = "101050001";
const HOUR_MS = 3_600_000;
const CALLED_BACK = "Called the number on the contract.";

interface Ids {
  organizationId: string;
  accountIds: Record<AccountName, string>;
  memberIds: Record<MemberName, string>;
}

const isPayee = (name: AccountName | PayeeName): name is PayeeName => name in PAYEES;

/** Plays what only waits, and who it is for and from, at the time of `services.clock`. */
export class QueuePlayer {
  readonly #payees = new Map<PayeeName, string>();
  #assistantId: string | null = null;

  constructor(
    private readonly services: Services,
    private readonly bank: BankPort,
    private readonly ids: Ids,
  ) {}

  /** Of an account, or of a payee that was added. */
  idOf(name: AccountName | PayeeName): string {
    const id = isPayee(name) ? this.#payees.get(name) : this.ids.accountIds[name];
    if (id === undefined) throw new Error(`The demo pays ${name} before it is added`);
    return id;
  }

  /** Added by one member and confirmed by another one, both just signed in. */
  async addPayee(name: PayeeName): Promise<void> {
    const { services, bank } = this;
    const { holderName, accountNumber, addedBy, confirmedBy } = PAYEES[name];
    const account = { holderName, accountKind: "CHECKING", routingNumber: ROUTING_NUMBER, accountNumber };
    const payee = newPayeeSchema.parse({ name, kind: "BUSINESS", account, formId: undefined });
    const payeeId = await withSignedIn(services, this.ids.memberIds[addedBy], (context) =>
      addPayee(services, bank, context, payee),
    );
    this.#payees.set(name, payeeId);
    if (confirmedBy === null) return;
    const { rows } = await services.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1 and payee_id = $2",
      [this.ids.organizationId, payeeId],
    );
    const detailsId = rows[0]?.id ?? "";
    await withSignedIn(services, this.ids.memberIds[confirmedBy], (context) =>
      confirmPayee(services, context, { payeeId, detailsId, callBackNote: CALLED_BACK }),
    );
  }

  /** Connects the assistant as its member's consent does. */
  async connect(): Promise<void> {
    const { services, ids } = this;
    const now = services.clock.now();
    const soon = new Date(now.getTime() + HOUR_MS);
    const interactionId = newId(now);
    const interaction = { model: "Interaction", id: interactionId, payload: {}, connection: null };
    await saveRecord(services.pool, { ...interaction, audience: null, expiresAt: soon }, now);
    const { name, clientId, host, of } = ASSISTANT;
    this.#assistantId = await connectAssistant(services, {
      interactionId,
      client: { id: clientId, name, host },
      by: { organizationId: ids.organizationId, userId: ids.memberIds[of], now },
      describe: () => ({ grant: {}, result: {} }),
      keptUntil: soon,
      clientKeptUntil: soon,
    });
    if (this.#assistantId === null) throw new Error("The demo's assistant was not connected");
  }

  /** @param keyText of the key that asks; undefined for the assistant */
  async ask(
    { by, from, to, amountInCents, reason, invoice }: DemoQueued,
    keyText: string | undefined,
  ): Promise<void> {
    const { services } = this;
    const context = by === ASSISTANT.name ? this.#asAssistant() : await asKey(services, keyText, null);
    const transferId = await askTransfer(
      services,
      context,
      {
        sourceAccountId: this.idOf(from),
        destinationAccountId: this.idOf(to),
        amountInCents,
        reasonForApproval: reason,
      },
      null,
    );
    if (invoice === undefined) return;
    const name = `${invoice}.pdf`;
    const content = invoicePdf([
      to,
      `Invoice ${invoice}`,
      `Amount due: $${(amountInCents / 100).toFixed(2)}`,
    ]);
    const path = `${TRANSFERS_PATH}/${transferId}/documents`;
    await addOwnDocument(services, context, {
      transferId,
      document: { name, content },
      sent: { method: "POST", path, idempotencyKey: null, calledReason: null, body: { name } },
    });
  }

  async askTogether({ by, reason, lines }: DemoBatch): Promise<void> {
    const { services } = this;
    await withSignedIn(services, this.ids.memberIds[by], (context) =>
      proposeBatch(services, context, {
        formId: newId(context.now),
        reason,
        lines: lines.map(({ from, to, amountInCents }) => ({
          sourceAccountId: this.idOf(from),
          destinationAccountId: this.idOf(to),
          amountInCents,
          description: null,
        })),
      }),
    );
  }

  #asAssistant(): Context<CallerActor> {
    if (this.#assistantId === null) throw new Error("The demo's assistant asks before it is connected");
    const { role } = MEMBERS[ASSISTANT.of];
    return {
      organizationId: this.ids.organizationId,
      actor: {
        kind: "ASSISTANT",
        id: this.#assistantId,
        name: ASSISTANT.name,
        permissions: permissionsOfRole(role),
        memberId: this.ids.memberIds[ASSISTANT.of],
        role,
      },
      now: this.services.clock.now(),
      requestId: newRequestId(),
      calledReason: null,
    };
  }
}
