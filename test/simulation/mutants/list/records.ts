// Mistakes in what is kept and told: idempotency records, the audit log, deliveries, alerts, the journal.
import { mutant, type Mutant } from '../mutant.js'

const IDEMPOTENCY = 'src/http/server/idempotency.js'
const KEPT = 'src/http/routes/payments/keptDecision.js'
const RELAY = 'src/webhooks/relay.js'

export const RECORDS: readonly Mutant[] = [
  mutant('a key answers whatever body', IDEMPOTENCY, ['record.bodyHash !== bodyHash', 'false'], 'service', 'repeats'),
  mutant('requests of one key run together', IDEMPOTENCY, ['return inTurn(key,', 'return inTurn(Symbol(),'], 'service', 'repeats', 'works'),
  mutant('an answer is not recorded', 'src/commands/send.js', ['reply.ok ? caller.record?.(reply.actor, attempt) : undefined', 'undefined'], 'service', 'repeats'),
  mutant('a repeated answer lacks its reasons', KEPT, ['reasons: violations.map(({ message }) => message)', 'reasons: []'], 'service', 'repeats'),
  mutant('a repeated answer shows the present wallet', KEPT, ["if (isObject(value) && isObject(known)) {", 'if (isObject(value) && isObject(known)) { continue;'], 'service', 'repeats'),
  mutant('a repeated payment is another one', 'src/commands/payments/request.js', ['derivedId(', 'services.random(1) && derivedId(Math.random(), '], 'service', 'repeats', 'works'),
  mutant('a change is missing from the log', 'src/actor/attempt.js', ['const audited = this.#runs.filter(isLogged)', "const audited = this.#runs.filter(isLogged).filter(({ turn }) => turn.command !== 'CONFIGURE')"], 'service', 'log'),
  mutant('the log names the first who ever acted', 'src/store/audit/loggedEntry.js', ["turn.command === 'WAKE' ? TIMER : by", 'TIMER'], 'service', 'log'),
  mutant('an entry is not chained to the one before', 'src/store/audit/append.js', ['previousHash: last.hash }', 'previousHash: GENESIS }'], 'service', 'log'),
  mutant('an entry has the hash of another text', 'src/store/audit/append.js', ['head.hash = sha256Hex(rawText(chained, raw))', 'head.hash = sha256Hex(raw)'], 'service', 'log'),
  mutant('a sequence is left out', 'src/store/audit/append.js', ['sequence: last.sequence + 1, hash: undefined', 'sequence: last.sequence + (last.sequence === 30 ? 2 : 1), hash: undefined'], 'service', 'log', 'works'),
  mutant('an event is delivered twice', 'src/webhooks/outbox.js', ['tell(event, left, deliveries);', 'tell(event, left, deliveries); tell(event, left, deliveries);'], 'service', 'delivered'),
  mutant('an event is not delivered', 'src/webhooks/outbox.js', ['for (const event of events) {', "for (const event of events) { if (event.event === 'payment.expired') continue;"], 'service', 'delivered'),
  mutant('events come in the reverse order', 'src/webhooks/outbox.js', ['for (const event of events) {', 'for (const event of [...events].reverse()) {'], 'service', 'delivered'),
  mutant('an error of the receiver is a delivery', 'src/domain/outcomes/delivery.js', ['statusCode >= 200 && statusCode < 300', 'statusCode >= 200'], 'service', 'delivered'),
  mutant('one failure ends a delivery', 'src/domain/outcomes/delivery.js', ['const wait = waits[made - 1] ?? (', 'const wait = ('], 'service', 'delivered'),
  mutant('what a dead courier had is forgotten', RELAY, ['this.#ports.timers.after(PAUSE_MS, () => this.returned(numbers))', 'undefined'], 'service', 'delivered'),
  mutant('a restart forgets what was to be delivered', RELAY, ['for (const endpoint of this.#ports.queue.endpoints())', 'for (const endpoint of [])'], 'service', 'delivered'),
  mutant('a large payment raises an alert again', 'src/alerts/raise.js', ['if (alert !== undefined && isOnce)', 'if (false)'], 'service', 'alerts'),
  mutant('an alert does not count', 'machines/alert.js', ['count: context.count + 1', 'count: context.count'], 'service', 'alerts'),
  mutant('an alert begins above its mark', 'src/alerts/causes/highValue.js', ['payment.terms.amount < highValueAbove', 'payment.terms.amount <= highValueAbove'], 'service', 'alerts'),
  mutant('a denial by a block raises no alert', 'src/alerts/causes/denials.js', ["const ADDRESSES = ['BLOCKED_COUNTERPARTY', 'SANCTIONED_ADDRESS']", "const ADDRESSES = ['SANCTIONED_ADDRESS']"], 'service', 'alerts'),
  mutant('an answer comes before it is kept', 'src/store/writer.js', ['await appended;', 'appended.catch(() => { });'], 'kernel', 'acknowledged', 'works'),
]
