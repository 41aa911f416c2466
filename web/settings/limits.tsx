// How many requests each caller may make, configured where the service is started, and how many records the organization
// keeps, as the operator has set it.
import { Facts } from '../components/facts.js'
import { words } from '../format/words.js'
import { Section } from '../components/page.js'
import { useSignedIn, type Organization } from '../session.js'
import { grouped } from '../format/money.js'

const NAMES: { [group: string]: string } = {
  payments: 'Payment requests',
  reads: 'Reads',
  admin: 'Changes',
  login: 'Sign-in',
}

export function Limits() {
  const { rateLimits, limits } = useSignedIn().organization
  const records = Object.entries(limits).flatMap(([name, most]) => (most === null ? [] : [[name, most] as const]))
  return (
    <>
      <RateLimits of={rateLimits} />
      {records.length > 0 && (
        <Section
          title="Quotas"
          lead="Maximum numbers of objects in the organization. The operator of the service sets them."
        >
          <div class="card narrow">
            <Facts of={records.map(([name, most]) => [words(name), grouped(most)])} />
          </div>
        </Section>
      )}
    </>
  )
}

function RateLimits({ of: rateLimits }: { of: Organization['rateLimits'] }) {
  return (
    <Section title="Rate limits" lead="Requests per minute for each key or member; for sign-in, for each IP address.">
      <div class="card narrow">
        {rateLimits === null ? (
          <p>No rate limits.</p>
        ) : (
          <Facts
            of={Object.entries(rateLimits).map(([group, most]) => [
              NAMES[group] ?? group,
              `${grouped(most)} per minute`,
            ])}
          />
        )}
        <p class="hint">They apply to the whole service and are set by BURSAR_RATE_LIMITS at its start.</p>
      </div>
    </Section>
  )
}
