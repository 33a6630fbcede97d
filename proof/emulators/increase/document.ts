import { z } from "zod";
import { invalid } from "@/proof/emulators/increase/requests";

/*
 * Bodies of requests as Increase's OpenAPI document (Apache-2.0, of SDK 0.583.0) describes them: what it refuses, the
 * emulator must refuse, or a request that fails at Increase passes every test. Only what Sluice may send is listed.
 */
const text = (maximum: number) => z.string().min(1).max(maximum);
const ascii = (maximum: number) => text(maximum).regex(/^[ -~]*$/);
const reference = z.string();

const accountHolder = z.enum(["business", "individual", "unknown"]);
const secCode = z.enum([
  "corporate_credit_or_debit",
  "corporate_trade_exchange",
  "prearranged_payments_and_deposit",
  "internet_initiated",
]);

const inbound = { account_number_id: reference, amount: z.int().min(1) };

/** By method and path; `:id` is an object. */
const BODIES: Readonly<Record<string, z.ZodType>> = {
  "POST /accounts": z.looseObject({
    name: text(200),
    entity_id: reference.optional(),
    program_id: reference.optional(),
    informational_entity_id: reference.optional(),
    funding: z.enum(["loan", "deposits"]).optional(),
  }),
  "POST /account_numbers": z.looseObject({
    account_id: reference,
    name: text(200),
    inbound_ach: z.looseObject({ debit_status: z.enum(["allowed", "blocked"]) }).optional(),
  }),
  "POST /external_accounts": z.looseObject({
    routing_number: z
      .string()
      .length(9)
      .regex(/^[0-9]*$/),
    account_number: text(17).regex(/^[a-zA-Z0-9]*$/),
    description: text(200),
    account_holder: accountHolder.optional(),
    funding: z.enum(["checking", "savings", "general_ledger", "other"]).optional(),
  }),
  "POST /ach_transfers": z.looseObject({
    account_id: reference,
    amount: z.int().min(-9_999_999_999).max(9_999_999_999),
    statement_descriptor: ascii(200),
    external_account_id: reference.optional(),
    company_descriptive_date: ascii(6).optional(),
    company_discretionary_data: ascii(20).optional(),
    company_entry_description: ascii(10).optional(),
    company_name: ascii(16).optional(),
    destination_account_holder: accountHolder.optional(),
    individual_id: ascii(15).optional(),
    individual_name: ascii(22).optional(),
    preferred_effective_date: z
      .looseObject({
        date: z.iso.date().optional(),
        settlement_schedule: z.enum(["same_day", "future_dated"]).optional(),
      })
      .optional(),
    require_approval: z.boolean().optional(),
    standard_entry_class_code: secCode.optional(),
  }),
  "POST /account_transfers": z.looseObject({
    account_id: reference,
    destination_account_id: reference,
    amount: z.int().min(1),
    description: text(200),
    require_approval: z.boolean().optional(),
  }),
  "POST /check_deposits": z.looseObject({
    account_id: reference,
    amount: z.int().min(1),
    front_image_file_id: reference,
    back_image_file_id: reference,
    description: text(200).optional(),
  }),
  "POST /event_subscriptions": z.looseObject({
    url: z.string(),
    shared_secret: text(100).optional(),
    status: z.enum(["active", "disabled"]).optional(),
  }),
  "POST /simulations/inbound_ach_transfers": z.strictObject({
    account_number_id: reference,
    amount: z.int(),
    company_descriptive_date: ascii(6).optional(),
    company_discretionary_data: ascii(20).optional(),
    company_entry_description: ascii(10).optional(),
    company_id: ascii(15).optional(),
    company_name: ascii(16).optional(),
    receiver_id_number: text(200).optional(),
    receiver_name: text(200).optional(),
    resolve_at: z.iso.datetime({ offset: true }).optional(),
    standard_entry_class_code: z.string().optional(),
  }),
  "POST /simulations/inbound_wire_transfers": z.strictObject({
    ...inbound,
    creditor_name: text(200).optional(),
    debtor_name: text(200).optional(),
    end_to_end_identification: text(200).optional(),
    unstructured_remittance_information: text(200).optional(),
  }),
  "POST /simulations/inbound_real_time_payments_transfers": z.strictObject({
    ...inbound,
    debtor_account_number: text(200).optional(),
    debtor_name: text(200).optional(),
    debtor_routing_number: text(9).optional(),
    request_for_payment_id: reference.optional(),
    unstructured_remittance_information: text(140).optional(),
  }),
  "POST /simulations/inbound_fednow_transfers": z.strictObject({
    ...inbound,
    debtor_account_number: text(200).optional(),
    debtor_name: text(200).optional(),
    debtor_routing_number: z.string().length(9).optional(),
    unstructured_remittance_information: text(200).optional(),
  }),
  "POST /inbound_ach_transfers/:id/transfer_return": z.strictObject({
    reason: z.enum([
      "insufficient_funds",
      "authorization_revoked_by_customer",
      "payment_stopped",
      "customer_advised_unauthorized_improper_ineligible_or_incomplete",
      "representative_payee_deceased_or_unable_to_continue_in_that_capacity",
      "beneficiary_or_account_holder_deceased",
      "credit_entry_refused_by_receiver",
      "duplicate_entry",
      "corporate_customer_advised_not_authorized",
    ]),
  }),
  "POST /simulations/ach_transfers/:id/settle": z.strictObject({
    inbound_funds_hold_behavior: z.enum(["release_immediately", "release_on_default_schedule"]).optional(),
  }),
  "POST /simulations/ach_transfers/:id/create_notification_of_change": z.strictObject({
    corrected_account_funding: z.enum(["checking", "savings", "loan", "general_ledger"]).optional(),
    corrected_account_number: text(17).optional(),
    corrected_individual_id: text(22).optional(),
    corrected_routing_number: text(9)
      .regex(/^[0-9]*$/)
      .optional(),
  }),
};

/** @throws Refused (400) for a body that the document does not allow */
export function requireDocumented(method: string, path: string, text: string): void {
  const pattern = path.replace(/\/[a-z_]+_[0-9]{20}(?=\/|$)/, "/:id");
  const schema = BODIES[`${method} ${pattern}`];
  if (!schema) return;
  const parsed = schema.safeParse(text === "" ? {} : JSON.parse(text));
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw invalid(`${issue.path.join(".") || "body"}: ${issue.message}.`);
}
