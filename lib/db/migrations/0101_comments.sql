-- What names alone do not say. \d+ in psql and schema.sql show it. In the order of schema.sql.
comment on column idempotency_results.caller_id is 'An API key, an assistant, or the rule of a hook.';
comment on column kept_answers.made_at is 'The business time that it describes.';
comment on column kept_answers.worked_out_at is
'Real time, as below: when it was computed, and when a person last looked at it. An answer that is not looked at is
recomputed rarely (lib/core/profile/keep-profiles-ready.ts).';
comment on table throttles is
'Attempts per subject (an email, a network, a member) in a fixed window, which slows guessing across all processes.';
comment on column organizations.clock_offset_ms is
'Business time is real time plus this. It never decreases: money that was due cannot become undue.';
comment on column organizations.clearing_ledger_id is 'The bank partner''s side of this organization''s books.';
comment on column organizations.new_pod_floor_in_cents is
'The floor of a new pod unless its form says otherwise; null: none.';
comment on column organizations.week_due_at is
'Business time; null until the worker has looked at this organization for the first time.';
comment on index organizations_with_moved_clock is
'The few organizations whose clock was moved forward are queried one by one.';
comment on table users is 'A person. Belongs to organizations through memberships; found by email across all of them.';
comment on column users.password_changed_at is 'Real time; null: never changed since it was first set.';
comment on column memberships.invited_by is 'Null: created by the setup or by the operator.';
comment on column beneficiaries.removed_at is
'A removed beneficiary owns no open account and is not offered for new ones; closed accounts still name it.';
comment on table invitations is
'A row exists while the invitation waits. Accepting or withdrawing deletes it; an expired one can be sent again for
a while.';
comment on column invitations.token_hash is 'SHA-256 of 256 random bits. The token itself is in one email only.';
comment on column invitations.invited_at is 'Real time, like all times here.';
comment on table organization_changes is
'What members changed about their organization, its beneficiaries and its members; written once.';
comment on column organization_changes.subject is
'Name, at the time, of the person or thing that was changed; null: the organization itself.';
comment on column organization_changes.changed_at is 'Business time.';
comment on table gate_closings is
'One row per closing; gates are open unless a row has no opened_at. Only functions write here, so an attacker with
the application''s connection cannot open a gate by a plain update.';
comment on column gate_closings.closed_at is 'Business time, like opened_at.';
comment on column gate_closings.closed_by is 'Null: closed by a restore.';
comment on table sessions is
'One row per signed-in browser, read on every request, so that ending a session takes effect at once. All times are
real time.';
comment on column sessions.organization_id is
'The organization that this browser shows; the role in it is read from memberships.';
comment on column sessions.method is
'How, and with authenticated_at when, the person at this browser last proved their identity.';
comment on column sessions.last_seen_at is 'Accurate to the hour. An unused session ends before it expires.';
comment on column sessions.started_with is
'How the session began; later proofs update `method` and `authenticated_at`. Null: the session is older than this
column.';
comment on column sessions.network is 'The network it was started from, shortened; null: unknown.';
comment on column sessions.has_second_factor is
'More than a password was given in this session: a passkey, a recovery code, the code of an authenticator app, or a
passkey or app added in it. A fact about the session, not the member: an attacker''s session with only the password
gains nothing when its victim adds an app. Sessions from before this was recorded have none and are asked once
more.';
comment on column passkeys.credential_id is 'As the authenticator chose it, base64url.';
comment on column passkeys.counter is 'Signature counter: a step back means a cloned authenticator.';
comment on table challenges is
'A challenge given to a browser: for one purpose, one use, a few minutes. Found by its own 256 random bits.';
comment on column challenges.bound_to is
'What exactly is confirmed (proposal, decision and digest), so that the answer confirms nothing else.';
comment on table recovery_codes is
'SHA-256 of each code. A code has 100 random bits, so a slow hash would protect nothing.';
comment on table authenticators is
'A person''s one authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). All times are real time.';
comment on column authenticators.sealed_secret is
'Encrypted for this user alone (lib/platform/encryption.ts): reading the table is not enough to make codes.';
comment on column authenticators.confirmed_at is
'Null: shown, but no code of it has been entered yet; it does not count as a second factor.';
comment on column authenticators.last_step is 'The last 30-second step whose code was used: each code counts once.';
comment on table known_browsers is
'Browsers that a person has signed in with. Their ids are in cookies; stored is the SHA-256 of 256 random bits.';
comment on column known_browsers.first_seen_at is 'Real time.';
comment on table password_resets is
'A link that sets a new password, once. Without a user: the requested address has no account, and the same work was
done so that timing does not reveal it.';
comment on table phone_codes is
'The one code that a member may still enter for their number. It is deleted when it is entered, replaced or
expires.';
comment on column phone_codes.phone is 'The number it was sent to; it verifies no other.';
comment on column phone_codes.code_hash is
'argon2id over member, number and code: a fast hash of six digits would hide nothing.';
comment on column phone_codes.expires_at is 'Real time.';
comment on column phone_codes.tries is 'Counted before each attempt is checked.';
comment on table sign_ups is
'Sign-ups without an account yet: a person is created only once the address is verified and the organization named.
Found by the SHA-256 of 256 random bits that the browser keeps. All times are real time.';
comment on column sign_ups.code_hash is
'argon2id: a fast hash of six digits would hide nothing. For an address that has an account it is the hash of a
code that was never sent, so that such a row behaves like any other.';
comment on column sign_ups.tries is 'Counted before each attempt is checked.';
comment on table identity_checks is
'Who owns the money of an organization. Without a row no check is needed: the organization existed before checks,
or its operator created it. Of what the service was sent, only what a member must recognize is kept: names,
shares, the last four digits.';
comment on column identity_checks.status is 'SUBMITTING: sent, but not known to have arrived.';
comment on column identity_checks.application_id is
'Our idempotency key for the service; a new one each time details are entered.';
comment on column identity_checks.subjects is
'In the order of the application: kind, name, share, last four digits, and what the service says about each.';
comment on column identity_checks.problem is 'Why it is needed again.';
comment on column identity_checks.submitted_at is 'Real time, like all times here.';
comment on column identity_checks.onboarded_at is
'When the first steps ended; until then every page links to the next one.';
comment on table api_keys is
'Callers: API keys, and connections of assistants (those with a client_id). Both propose, are counted, audited and
revoked in the same way, so that no safeguard of one can be forgotten for the other. An assistant has no key text
and no permissions of its own: it may do what its member may, read on every request.';
comment on column api_keys.prefix is 'The first characters, shown so that people can tell keys apart.';
comment on column api_keys.key_hash is
'SHA-256 of the whole key. A key has 190 random bits, so a slow hash would protect nothing and cost every request.';
comment on column api_keys.permissions is
'Fixed at creation: what a key may do never changes behind its holder''s or its approver''s back.';
comment on column api_keys.ends_at is 'Business time from which a replaced key no longer works.';
comment on column api_keys.replaced_by is 'The key that replaced this one.';
comment on column api_keys.revoked_because is
'CLIENT: the assistant gave its access back. REUSE: a code or refresh token was used twice, so another party has a
copy. EXPIRED: the refresh token expired unused.';
comment on column api_keys.client_id is
'OAuth client: its id, or the address of its metadata document. Null: an API key.';
comment on column api_keys.client_host is
'The host that the browser was sent back to, which is what was verified about the client.';
comment on column api_keys.daily_cap_in_cents is
'The most that the key may move in a day of the organization without a person, including what rules move because of
it. Null: no cap. What exceeds it waits for approval.';
comment on column api_keys.watch_due_at is
'Business time. The state is the queue: when the key''s use is examined next; null while it is unused.';
comment on column api_keys.watched_until is 'The time up to which its transfers are counted in `key_habits`.';
comment on column api_keys.silent_since is
'Its last use before a silence of 45 days that nobody has been notified of yet; a key that is used monthly is never
silent that long.';
comment on constraint api_keys_revoked_because_check on api_keys is
'CLIENT: the assistant gave its access back. REUSE: a code or refresh token was used twice, so another party has a
copy.';
comment on table rate_windows is
'One row per key or hook: the current minute of real time and its count. Unlogged: losing it in a crash costs one
window.';
comment on column rate_windows.requests is 'How many requests the key has made in this minute; its page shows it.';
comment on table key_days is
'What a capped key has set moving in a day, the runs that it caused included. Never decreased: a key that sends the
same money back and forth all day would otherwise never reach its cap. No foreign key to api_keys: a run that is
being carried out holds its row and must not wait for a revocation, which locks the key first.';
comment on column key_days.day is 'In the organization''s time zone.';
comment on table key_networks is
'Networks that a key or an assistant was used from, shortened (`shortNetwork`); at most a hundred per key.';
comment on table key_habits is
'What a key moved without approval, by day: what is usual for it. Counted by the watch a few seconds after the
fact.';
comment on table key_alerts is 'Unusual use of a key or an assistant; at most one alert per kind and day.';
comment on column key_alerts.facts is 'What was seen and what is usual (contract/key-alerts.ts).';
comment on column key_alerts.noticed_at is 'Business time.';
comment on table oauth_records is
'Everything that the authorization server keeps: clients, interactions, codes, tokens, grants. Ids are hashed,
since most of them are secrets; payloads contain none.';
comment on column oauth_records.id_hash is 'SHA-256 of the record''s id.';
comment on column oauth_records.uid_hash is 'For a session: SHA-256 of the id by which interactions know its browser.';
comment on column oauth_records.organization_id is 'For records of an assistant''s connection, which is in api_keys.';
comment on column oauth_records.audience is 'For a token: the resource that it is valid for (RFC 8707).';
comment on column oauth_records.consumed_at is 'Real time, like all times here.';
comment on column oauth_records.expires_at is 'Null: kept until it is deleted.';
comment on column connections.provider_item_id is
'The provider''s id of this connection; institution_id is its id of the institution.';
comment on column connections.status is
'NEEDS_SIGN_IN: the institution requires its customer to sign in again; the last known balances stay.';
comment on column connections.sealed_access_token is
'The provider''s access token, encrypted (platform/seal). Null if the provider needs none.';
comment on column connections.cursor is
'The position up to which the provider''s stream of transactions has been read.';
comment on column connections.refresh_due_at is 'Business time of the next refresh; null: not refreshed.';
comment on column connections.leased_until is 'Real time.';
comment on column connections.failing_since is
'Business time of the first of the current failures in a row; null while it responds.';
comment on index connections_to_remove is 'Disconnected here, but not yet at the provider.';
comment on column accounts.floor_in_cents is
'What the owner wants to keep in the account; only a person''s decision may go below.';
comment on column accounts.number_due_at is
'Business time at which the bank is asked next for an income source''s numbers; null: nothing to ask.';
comment on column accounts.number_leased_until is 'Real time.';
comment on table ledgers is
'Credits minus debits is the balance. A managed account''s ledger has the account''s id. Pages are filled only in
part: these are the busiest rows of the product, and room on the page allows in-page updates.';
comment on column ledgers.return_shortfall_in_cents is
'How far below zero a bank''s return or a card settlement has pushed the available balance; nothing of ours can.';
comment on table provider_balances is
'What the provider last reported about an outside account; not part of our books.';
comment on column provider_balances.last_known_balance_in_cents is
'While an error is set, the specification requires the balance to be null; the last known one is kept here, for
people.';
comment on column entries.organization_id is
'Kept without statistics, like the ledger columns: with them, the planner expects as many entries for every ledger
as the busiest one has, and walks the whole organization''s index for a quiet one.';
comment on column entries.releases_hold_in_cents is 'The part of the debited ledger''s hold that this entry uses up.';
comment on constraint booked_once on entries is 'A transfer is booked once and returned once, whatever is retried.';
comment on constraint one_cause on entries is 'An entry has exactly one cause: a transfer or a card transaction.';
comment on index card_transaction_booked_once is
'Partial, so that the entries of transfers, by far the most, do not pay for it.';
comment on column daily_flows.day is 'In the time zone that the organization had at booking.';
comment on column daily_flows.party is
'The party beyond the organization''s border: ''account:<id>'', ''name:<as the bank says>'', or ''card'' for all that
cards spend and get. Empty between two managed accounts.';
comment on column daily_flows.amount_in_cents is
'A return or a card refund is subtracted from what it undoes, so the sum can be negative.';
comment on column connection_days.day is 'In the organization''s time zone, business time.';
comment on column external_transactions.transfer_id is
'Our own transfer whose other side this is, or null. Linked transactions are neither income nor spending.';
comment on column external_transactions.vanished_at is
'When the institution withdrew a pending transaction. It is kept but no longer shown.';
comment on column external_transactions.provider_category is
'The provider''s own detailed category (Plaid''s "personal finance category", e.g.
LOAN_PAYMENTS_CREDIT_CARD_PAYMENT). It distinguishes income, moves between own accounts, debt payments and kinds
of fees, which the eight categories do not.';
comment on column external_transactions.stream_key is 'The same for all transactions of one payer or merchant.';
comment on column external_transactions.is_called_movement is
'Whether the bank''s text describes a movement between accounts; preferred when several amounts are equal.';
comment on column transfers.counterparty_name is 'The other party, if it is not an account of this organization.';
comment on column transfers.fails_with is
'Known at acceptance (not enough money); reported when the transfer fails a moment later.';
comment on column transfers.hold_in_cents is 'Held on the source''s ledger until the transfer is booked or ends.';
comment on column transfers.next_step is
'BOOK and FAIL are done by the database alone. SUBMIT can still be canceled. ASK has been leased for the bank, so
the bank is asked before anything is sent again. AWAIT waits for the bank''s notice.';
comment on column transfers.leased_until is
'Real time, unlike due_at: a lease is about processes, not about business days.';
comment on column transfers.chain_depth is 'How many rules ran before it in its chain, its own included.';
comment on index transfers_across_border is
'The few transfers that cross the border of the managed accounts; the many moves between pods stay out of it.';
comment on index transfers_awaited is
'Together with the partial indexes of the earlier steps, everything that is on its way; read by the page of an
account and before an account is closed. Moves between pods never enter it, so the busiest path writes no further
index.';
comment on index transfers_brought_outside is
'Money that reached an outside account since its bank last reported its balance. Only transfers across the border
can.';
comment on index transfers_by_amount is
'The command palette finds transfers by amount, as fast among a million of them as in a new organization.';
comment on index transfers_by_route is
'Earlier transfers from one account to another (lib/core/approvals/transfer-subject.ts). An approver waits for
them; without it, they were searched for among everything that ever left a busy account.';
comment on index transfers_taken_outside is
'Money taken from an outside account since its balance was reported (lib/core/keys/read-key-accounts.ts). Without
it, the pages of keys read every transfer of a busy account. Only transfers across the border can take from
outside.';
comment on index transfers_that_stand_out is
'Transfers of an organization that did not simply settle: failures, returns, refusals and those that wait, listed
without reading the settled ones between them. A settled transfer is never in it, so the busy path writes nothing
here.';
comment on index transfers_under_way_by_key is
'The transfers of a key that are under way. Without it a revocation would read every transfer of the organization.';
comment on table bank_notices is 'A bank''s notice counts once, by its reference.';
comment on table transfer_reversals is
'Which transfer reverses which. A reversal that was denied or failed may be followed by another.';
comment on column cards.account_id is 'The pod that the card spends from.';
comment on column cards.monthly_limit_in_cents is
'The most that the card may spend in a calendar month of the organization; null: no limit of its own.';
comment on table card_authorizations is 'What merchants asked the card network for, and what became of it.';
comment on column card_authorizations.decline_reason is 'Kept even if the network settles a declined purchase.';
comment on column card_authorizations.hold_in_cents is 'What is still held on the pod''s ledger.';
comment on column card_authorizations.month is
'The calendar month of the organization whose limit it counts toward, as its first day.';
comment on table card_transactions is 'Settled purchases, refunds and payouts.';
comment on column card_transactions.network_reference is
'The card network''s reference: a transaction that is reported twice counts once.';
comment on table card_months is
'What a card has spent in a calendar month: settled purchases and open holds. Changed only under the lock of the
card''s row.';
comment on column rules.name is
'As in the latest version; for lists and their filters. The same holds for source_account_ids.';
comment on column rules.active_version is 'Null: no version is active.';
comment on column rules.source_account_ids is
'The trigger''s account and every account that an action takes money from.';
comment on column rules.active_trigger_type is
'As in the active version, like the two columns below; null while none is active.';
comment on column rules.next_run_at is
'Business time of the next run of an active SCHEDULED version; null: none is left.';
comment on column rules.paused_at is
'When the bank returned money that rules had already passed on. It does not run live until a person has looked.
paused_by_transfer_id is the returned transfer.';
comment on column rules.versions_made is
'The highest version number ever given: the latest version may have been discarded.';
comment on column rules.scheduled_until is
'Business time up to which scheduled times have run or are recorded as skipped; next_run_at says when to look
again. They differ while a definition cannot be read, so that its times are made up for instead of lost.';
comment on table rule_versions is
'Written once: an edit is a new version, so what a person activated, and what a run did, stay readable.';
comment on column rule_versions.definition is 'ruleDefinitionSchema (contract/rules/rule.ts).';
comment on column rule_versions.reason is 'What the caller sent in x-called-reason, or a member entered in the editor.';
comment on column rule_versions.draft_id is
'The draft that it was saved from, which no longer exists; null: written by an API key.';
comment on table rule_version_discards is
'A proposed version that a person discarded. Versions themselves are never changed.';
comment on table rule_drafts is 'A member''s unsaved edit of a rule, or of a rule that does not exist yet.';
comment on column rule_drafts.rule_id is 'Null: a new rule.';
comment on column rule_drafts.base_version is 'The version that the edit started from.';
comment on column rule_drafts.definition is 'As far as the member has come; it need not be a complete rule.';
comment on table rule_hooks is
'A rule''s own address for programs (REMOTE_API). Only the hash of the secret is stored.';
comment on table rule_events is 'What people, or a bank''s return, did with a rule, in order.';
comment on column rule_events.by_user_id is 'Null: paused by a bank''s return.';
comment on column rule_events.digest is 'Of an activation: identifies what was shown and confirmed.';
comment on column rule_executions.trigger_details is 'triggerDetailsSchema (contract/rules/execution.ts).';
comment on column rule_executions.cause_kind is
'What started the run: an arrival by its kind, a schedule by its time. Each starts a rule once. Null: requested by
a person or a program.';
comment on column rule_executions.chain_depth is 'How many rules ran before it in its chain.';
comment on column rule_executions.base is 'RunBase (engine/run-facts.ts).';
comment on column rule_executions.facts is
'RuleFacts and RulePlan (contract/rules): enough to evaluate the rule again with the same result.';
comment on column rule_executions.due_at is
'The state is the queue: when the runner works on it next; null: nothing left to do.';
comment on column rule_executions.attempt_log is '[{ at, problem }], one per attempt that did not lead to a plan.';
comment on column rule_executions.planned_at is
'When the plan was made; ended_at: when the last of its transfers ended.';
comment on column rule_executions.charged_key_id is
'The key that caused this run, through any number of rules and without any approval; it counts toward that key''s
cap. Null: no key, or a person approved it.';
comment on constraint fired_once on rule_executions is
'The cause comes before the rule: with the rule first, the planner would use this index for the list of a rule''s
runs and then sort all of them.';
comment on index rule_executions_by_outcome is
'Runs that did not end well. They are few, and would otherwise be searched for among all runs; the others are found
in the list of all.';
comment on index rule_executions_under_way_by_key is 'The runs started by a key that are under way.';
comment on table rule_skipped_times is 'Scheduled times that passed without a run, and why.';
comment on column rule_skipped_times.times is
'More than one: this row is the latest time of a long stretch and stands for all of it.';
comment on table proposals is
'One row per decision that a person is asked for; its id is that of the transfer or of the rule''s run.';
comment on column proposals.api_key_id is 'Null: proposed by a member, or by a program through a rule''s hook.';
comment on column proposals.request is
'The request as it was sent: method, path, body and the two headers that callers choose. Never the bearer token.
Null if there was none (a member in the dashboard).';
comment on column proposals.cap_in_cents is
'Why approval is needed although the key may act alone: its cap, and how much of it was used. Both columns or
neither.';
comment on constraint proposals_cap_check on proposals is 'Proposals from before daily caps have neither column.';
comment on index proposals_waiting_by_key is
'A key''s waiting proposals are counted before it may create more (has_too_many_waiting).';
comment on table member_moves is
'Which transfer a member''s draft became: a draft moves money once, however often its confirmation is sent. The
transfer gets an id of its own at confirmation, so that ids stay in the order of creation (a draft may be an hour
old by then).';
comment on constraint member_moves_organization_id_transfer_id_fkey on member_moves is
'Deferred: the row is written before its transfer, so that duplicates wait here and not while ledgers are locked.';
comment on table run_confirmations is
'What a member confirmed when they ran a rule by hand, once per request id of the page: a second click finds the
first one''s run.';
comment on column run_confirmations.incoming_amount_in_cents is 'Null: the member entered none.';
comment on constraint run_confirmations_organization_id_execution_id_fkey on run_confirmations is
'Deferred: the confirmation is written before its run, so that a run cannot start twice.';
comment on column audit_entries.organization_id is
'Kept without statistics: an organization that grew since the last analyze does not appear in them, and the planner
then read its whole log for a single entry (measured: 125,000 look-ups took minutes instead of seconds).';
comment on index audit_entries_by_key is
'The page of a key reads its own requests, newest first, without reading those of all others.';
comment on table audit_unsealed is
'Entries that wait for their seal. A row is written with its entry and removed with the seal, so an entry is found
when its transaction commits, however late: neither its id nor its time says when that was.';
comment on column audit_unsealed.written_at is 'Real time of the database.';
comment on table audit_seals is
'Append-only. The sequence of an organization begins at 1 and has no gaps; each seal contains the hash of the
previous one.';
comment on column audit_seals.sealed_at is 'Real time.';
comment on column webhook_endpoints.sealed_secret is
'The signing secret, encrypted (platform/seal). Shown once, and deleted with the endpoint.';
comment on column webhook_endpoints.secret_hint is
'The last characters of the secret, so that people can tell secrets apart.';
comment on column webhook_endpoints.replaces_id is
'The endpoint that is deleted when this one first succeeds (a new secret without a gap).';
comment on column webhook_endpoints.disabled_at is
'When it was switched off; the next two columns say why and by whom. A member may switch it on again.';
comment on column webhook_endpoints.deleted_by is 'Null: deleted because its replacement succeeded.';
comment on column webhook_endpoints.failing_since is
'Business time of the first failure since the last success; null while it succeeds.';
comment on column webhook_events.id is '`X-Service-Event-Id`: the same at every endpoint and in every attempt.';
comment on column webhook_events.is_test is 'A member requested it to test an endpoint.';
comment on table webhook_deliveries is
'One row per event and endpoint that existed at that time. The state is the queue. No foreign keys: every commit
that changes a transfer would lock the endpoint''s row, and old events are deleted by their own statement
(forget-events.ts).';
comment on column webhook_deliveries.due_at is 'Business time of the next attempt.';
comment on column webhook_deliveries.leased_until is 'Real time: a lease is about processes.';
comment on column webhook_deliveries.round_attempts is
'Attempts since it was created or last resent by hand: its place in the retry schedule.';
comment on column webhook_deliveries.last_status_code is
'The status of the last attempt; last_problem says why there was none.';
comment on index webhook_deliveries_failing is 'Counted by status, and read in the order of events within each.';
comment on column webhook_attempts.number is 'From 1, over all rounds.';
comment on column webhook_attempts.attempted_at is
'Business time of its start, for people; the signature''s `t` is real time.';
comment on column webhook_attempts.signature_start is
'The first hex digits of `v1`: enough to compare, too few to use. Null: it could not be signed.';
comment on column webhook_attempts.problem is 'Null: the endpoint responded with 2xx.';
comment on column webhook_attempts.answer is 'The start of the response as text, or the connection''s error.';
comment on table webhook_days is
'Counts per endpoint and day of the organization, so that an endpoint''s health is read without its deliveries.';
comment on column notices.api_key_id is
'Notices of one kind with the same value here are grouped into a digest; null: sent one by one.';
comment on column notices.due_at is 'Later than created_at if the notice is part of a digest.';
comment on column notices.subject_id is
'What the notice is about, other than a proposal: a run, a transfer, an endpoint, a key, a session or a person.';
comment on column notices.user_id is 'The one person concerned; null: every owner and co-owner.';
comment on constraint notices_kind_check on notices is 'MEMBER_JOINED: the subject is the person.';
comment on table notification_preferences is
'What a member has chosen for a topic. Null, like a missing row: the default of contract/notifications.ts. A row
cannot override what members may not choose there.';
comment on column messages.user_id is 'Null: the recipient is invited and has no account yet.';
comment on column messages.due_at is 'Real time: mail servers know no business clock.';
comment on column messages.good_until is
'For messages with a code. Real time: not sent after this; the text is deleted once it was sent or given up.';
comment on column messages.is_forgotten is
'Older than the log: without text, kept only because the history of a proposal shows it.';
comment on constraint messages_keep_no_secret on messages is
'A code or an invitation''s link is deleted from the table with its message.';
comment on index messages_newest is
'The log of an organization and of a member, newest first; read from the other end to delete old messages.';
comment on table message_proposals is 'The proposals that a message is about: one, or several in a digest.';
comment on index message_proposals_by_message is 'Deleting a message looks up the proposals that it was about.';
comment on table person_messages is
'Email to people rather than members: to an address that may have no account, or about how a person signs in, which
is no organization''s concern. Sent like `messages`.';
comment on column person_messages.good_until is 'Not sent after this.';
comment on table mailbox_messages is
'Messages that are shown at /mailbox instead of being sent while the product runs on a developer''s machine. They
belong to the process, not to an organization: an invitation goes to a person who is in none yet.';
comment on table sandbox_actions is 'What members did to the sandbox, for the page that lists their actions.';
comment on column sandbox_actions.action is 'sandboxActionSchema (contract/views/sandbox-view.ts).';
comment on column sandbox_actions.created_at is 'Business time after the action.';
comment on column sandbox_bank_notices.deliveries_left is
'Deliveries still owed. A duplicate starts at 2: acknowledged once, it is delivered once more.';
comment on index sandbox_bank_notices_due is 'Due work of all organizations whose clock runs with real time.';
comment on index sandbox_bank_notices_of_order is
'An order has at most one notice of each kind; find() derives its state from them.';
comment on index sandbox_bank_notices_undelivered is
'The notices of one organization in the order in which they fall due.';
comment on table sandbox_bank_lost_submissions is
'First submissions that the bank "lost" (amounts ending in .05): the second submission of the same transfer gets
through.';
comment on table sandbox_bank_silences is 'Business time until which the bank does not answer this organization.';
comment on column sandbox_institution_items.connected_at is 'Business time, like all times here.';
comment on column sandbox_institution_items.stale_since is 'The institution reports nothing newer than this.';
comment on column sandbox_institution_items.last_change is
'Counts the changes that members made; a reader that has seen change n asks for those above n.';
comment on column sandbox_institution_accounts.opening_balance_in_cents is
'What the account held, or owed, before the first day of its history.';
comment on column sandbox_institution_accounts.served_since is
'From here on its income and card payments come through Sluice, and the institution invents none.';
comment on column sandbox_institution_transactions.posted_id is
'Its id once it is posted; often not the one that it had while pending.';
comment on column sandbox_card_purchases.reference is
'The reference of the authorization, which the notices of this purchase carry.';
comment on column sandbox_card_purchases.is_approved is 'Null while no answer has come, or because none came.';
comment on column sandbox_card_notices.deliveries_left is
'Deliveries still owed. A duplicate starts at 2: acknowledged once, it is delivered once more.';
comment on index sandbox_card_notices_due is 'Due work of all organizations whose clock runs with real time.';
comment on index sandbox_card_notices_of_purchase is
'The notices that a purchase still owes, which its answer replaces.';
comment on index sandbox_card_notices_undelivered is
'The notices of one organization in the order in which they fall due.';
comment on table sandbox_identity_applications is
'The sandbox identity service plays another company, like the sandbox bank: no foreign key connects it to the
product''s tables. It keeps neither tax numbers nor documents, only what it will answer.';
comment on column sandbox_identity_applications.decides_at is 'Business time.';
comment on column sandbox_receivers.token is
'128 random bits in the receiver''s address: with them a caller can add to what the receiver remembers, and do
nothing else.';
comment on column sandbox_receivers.mode is 'receiverModeSchema (contract/sandbox-receiver.ts).';
comment on column sandbox_receivers.received is 'Number of deliveries so far, and thus the place of the next one.';
comment on table sandbox_receipts is
'The last twenty deliveries. Each overwrites the slot of the one twenty before it, so the number of rows is
bounded.';
comment on column sandbox_receipts.mode is
'The receiver''s mode at that time; with the delivery''s place it determines the response
(core/sandbox/receiver-status.ts).';
comment on column sandbox_receipts.received_at is 'Business time, like everything on the page that shows it.';
comment on type arrival is 'Money that has settled on an account.';
comment on type movement_leg is
'One side of a possible movement between own accounts. An expected leg is what a transfer of ours must have left on
the outside account: a transaction of that same account in the opposite direction matches it. All other legs match
across two different accounts.';

comment on column provider_balances.payment_period_due_date is
  'The due date of the current payment period. A provider may report a due date late, withdraw it for a day, or correct it by a few days; none of that begins a new period, in which the minimum would be paid again.';
comment on column provider_balances.payment_period_since is
  'When the provider first reported that due date. Null: it was known before periods were kept.';
comment on column oauth_records.parent_hash is
  'Of a refresh token: the hash of the one that was exchanged for it. Null where an older version made it.';
comment on column oauth_records.retried_at is 'Of a refresh token: when it was used again. `consumed_at` is its first use.';
comment on column rule_executions.chain_id is 'The run that began the chain. Null: this one did.';
comment on column rule_executions.chain_runs is 'Of the run that began a chain: how many runs were started in it, itself included.';
comment on table readiness_checks is
  'Written when a load balancer asks whether the process is ready: a database that answers reads and takes no writes (a full disk, a standby) serves nobody.';
