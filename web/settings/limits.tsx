// How many requests each caller may make; configured where the service is started.
import { Facts } from '../components/facts.js'
import { Section } from '../components/page.js'
import { useSignedIn } from '../session.js'

const NAMES: { [group: string]: string } = {
  payments: 'Payment requests',
  reads: 'Reads',
  admin: 'Changes',
  login: 'Signing in',
}

export function Limits() {
  const { rateLimits } = useSignedIn().organization
  return (
    <Section title="Rate limits" lead="Requests a minute, for each key or person; for signing in, each address.">
      <div class="card narrow">
        {rateLimits === null ? (
          <p>None are in force.</p>
        ) : (
          <Facts
            of={Object.entries(rateLimits).map(([group, most]) => [
              NAMES[group] ?? group,
              `${most.toLocaleString('en')} a minute`,
            ])}
          />
        )}
        <p class="hint">They belong to the service as a whole: BURSAR_RATE_LIMITS sets them when it starts.</p>
      </div>
    </Section>
  )
}
